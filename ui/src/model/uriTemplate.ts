/** URI templates (RFC 6570): the variables that a form asks for, and the URI that comes of their values. */
import { parseTemplate } from "url-template";
import { isJson } from "./form/edit";

/** A variable of a template. */
export interface Variable {
	name: string;
	/** `{name*}`: a list or a map stands for several values. */
	explode: boolean;
	/** `{name:3}`: so many characters of it are used; null for all. */
	prefix: number | null;
	/** The expression in which it stands first, as written. */
	expression: string;
}

const EXPRESSION = /\{([+#./;?&=,!@|]?)([^{}]*)\}/g;

/** The variables of a template, each once, in order. */
export function variablesOf(template: string): Variable[] {
	const found = new Map<string, Variable>();
	for (const [expression, , list = ""] of template.matchAll(EXPRESSION)) {
		for (const spec of list.split(",")) {
			const [, name = "", modifier = ""] = /^([^:*]+)(\*|:\d+)?$/.exec(spec.trim()) ?? [];
			if (name === "" || found.has(name)) continue;
			const prefix = modifier.startsWith(":") ? Number(modifier.slice(1)) : null;
			found.set(name, { name, explode: modifier === "*", prefix, expression });
		}
	}
	return [...found.values()];
}

/** The URI for values as JSON text; the template itself where it cannot be expanded with them. */
export function expand(template: string, values: string): string {
	try {
		const given: unknown = isJson(values) ? JSON.parse(values) : null;
		if (typeof given !== "object" || given === null || Array.isArray(given)) return template;
		return parseTemplate(template).expand(given as Record<string, never>);
	} catch {
		// Half a surrogate pair has no UTF-8.
		return template;
	}
}

/** JSON Schema of the variables: strings; where a list or a map may stand, those too. */
export function schemaOf(template: string): string {
	const properties = variablesOf(template).map(({ name, explode, prefix, expression }) => {
		const about = `In ${expression}${prefix === null ? "" : `: its first ${prefix} characters`}`;
		const type = explode
			? '"anyOf":[{"title":"text","type":"string"},{"title":"list","type":"array","items":{"type":"string"}},{"title":"map","type":"object","additionalProperties":{"type":"string"}}]'
			: '"type":"string"';
		return `${JSON.stringify(name)}:{${type},"description":${JSON.stringify(about)}}`;
	});
	return `{"type":"object","properties":{${properties.join(",")}}}`;
}
