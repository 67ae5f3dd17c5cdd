/** Skills of a server: an extension, listed by `skills/list` and read like resources. */
import type { Backend } from "../ipc/backend";
import { ask, refusal } from "./ask";
import { type Callable, resourceCall } from "./callable";
import { words } from "./errors";
import { bytes, plural } from "./format";
import { at, type Json, text } from "./json/tree";
import { Observable } from "./observable";
import { declares, type ServerInfo } from "./serverInfo";

/** The extension's name. */
export const SKILLS = "io.modelcontextprotocol/skills";

/** Pages that are read at most; a server may go on for ever. */
const MAX_PAGES = 50;

/** The skills of a session. */
export interface SkillList {
	calls: readonly Callable[];
	/** Why there are none, or not all. */
	problems: readonly string[];
}

/** Whether a server declares that it has skills. */
export function hasSkills(info: ServerInfo | null): boolean {
	return declares(info, "extensions", SKILLS) === true;
}

export class SkillStore extends Observable {
	private readonly lists = new Map<string, SkillList>();
	private readonly asked = new Set<string>();

	constructor(private readonly backend: Backend) {
		super();
	}

	of(session: string): SkillList | null {
		return this.lists.get(session) ?? null;
	}

	/** Asks the server, page by page: once in a session, or `again`. */
	async read(session: string, again = false): Promise<void> {
		if (this.asked.has(session) && !again) return;
		this.asked.add(session);
		const calls: Callable[] = [];
		const problems: string[] = [];
		const seen = new Set<string>();
		try {
			let cursor: string | null = null;
			for (let page = 0; page < MAX_PAGES; page += 1) {
				const asked = await ask(
					this.backend,
					session,
					"skills/list",
					cursor === null ? "{}" : `{"cursor":${cursor}}`,
				);
				const refused = refusal(asked);
				if (refused !== null) problems.push(refused);
				calls.push(...(at(asked.result, "skills")?.items.map(skillCall) ?? []));
				cursor = at(asked.result, "nextCursor")?.raw ?? null;
				if (cursor === null || cursor === "null" || seen.has(cursor)) break;
				seen.add(cursor);
			}
		} catch (error) {
			problems.push(words(error));
		}
		this.lists.set(session, { calls, problems });
		this.changed();
	}
}

/** A skill: its SKILL.md is what is read. */
export function skillCall(skill: Json): Callable {
	const front = at(skill, "frontmatter");
	const uri = text(at(skill, "uri"));
	const name = text(at(front, "name"));
	const files = at(skill, "resources");
	const call = resourceCall({
		name: name ?? uri ?? "a skill without a name",
		title: null,
		description: text(at(front, "description")),
		uri: uri ?? "",
		mime_type: "text/markdown",
		size: null,
		arguments: [],
		raw: skill.raw,
		problem:
			uri === null
				? "The item has no uri: a skill needs one."
				: name === null
					? "Its frontmatter has no name."
					: null,
	});
	const facts = files?.items.map((file) => ({
		name: "file",
		value: [text(at(file, "uri")) ?? "without a URI", sizeOf(at(file, "size")), text(at(file, "digest"))]
			.filter((part) => part !== null)
			.join(" · "),
	}));
	const more = files?.kind === "string" ? [{ name: "files", value: text(files) ?? "" }] : (facts ?? []);
	return {
		...call,
		list: "skills/list",
		marks: [{ word: files?.kind === "array" ? plural(files.items.length, "file") : "skill", bad: false }],
		about: () => {
			const own = call.about();
			return { ...own, facts: [...own.facts, ...more] };
		},
	};
}

function sizeOf(size: Json | null): string | null {
	return size?.kind === "number" ? bytes(Number(size.raw)) : null;
}
