import { useEffect, useRef } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, PlusIcon } from "../../components/icons";
import type { RuleKind } from "../../ipc/secrets";
import { type ExportStore, LISTS } from "../../model/exporting";
import { count } from "../../model/format";
import css from "./Export.module.css";

interface Words {
	kind: RuleKind;
	title: string;
	/** What one is called. */
	one: string;
	hint: string;
	placeholder: string;
}

const KINDS: readonly Words[] = [
	{
		kind: "key",
		title: "Keys",
		one: "key",
		hint: "members of JSON objects, at any depth",
		placeholder: "password",
	},
	{ kind: "header", title: "Headers", one: "header", hint: "of HTTP exchanges", placeholder: "x-api-key" },
	{
		kind: "value",
		title: "Value patterns",
		one: "value pattern",
		hint: "regular expressions over any text",
		placeholder: "sk-[A-Za-z0-9]{20,}",
	},
	{
		kind: "path",
		title: "JSON paths",
		one: "JSON path",
		hint: "of a frame",
		placeholder: "$.params.arguments.token",
	},
];

/** What is made unreadable, by kind; each rule with how often it hits. */
export function RuleLists({ exporting }: { exporting: ExportStore }) {
	return (
		<section className={css.rules} aria-label="What is made unreadable">
			<header className="phead">
				<h3>Made unreadable</h3>
				<span className="grow" />
				<button type="button" className="btn ghost sm" onClick={() => void exporting.resetRules()}>
					Default rules
				</button>
			</header>
			<div className={css.scroll}>
				{KINDS.map((words) => (
					<RuleList key={words.kind} exporting={exporting} words={words} />
				))}
			</div>
		</section>
	);
}

function RuleList({ exporting, words }: { exporting: ExportStore; words: Words }) {
	const { kind, title, one, hint } = words;
	const list = useRef<HTMLUListElement>(null);
	const rules = exporting.rules[LISTS[kind]];
	const added = useRef(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the field of a rule that was just added is there once it is drawn
	useEffect(() => {
		if (!added.current) return;
		added.current = false;
		list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus();
	}, [rules.length]);
	const add = () => {
		added.current = true;
		exporting.addRule(kind);
	};
	return (
		<section aria-label={title} className={css.kind}>
			<h4>
				{title} <span className="dim">{hint}</span>
			</h4>
			<ul ref={list}>
				{rules.map((rule, i) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a rule is edited where it stands, its place is its name
					<Rule key={i} exporting={exporting} words={words} index={i} rule={rule} onEnter={add} />
				))}
			</ul>
			<button
				type="button"
				className="btn ghost sm"
				data-testid={`${TESTID.exportAddRule}-${kind}`}
				onClick={add}
			>
				<Icon of={PlusIcon} small />
				Add {one}
			</button>
		</section>
	);
}

interface RuleProps {
	exporting: ExportStore;
	words: Words;
	index: number;
	rule: string;
	/** Enter goes on to a new rule. */
	onEnter: () => void;
}

function Rule({ exporting, words, index, rule, onEnter }: RuleProps) {
	const { kind, one, placeholder } = words;
	const told = exporting.hits(kind, rule);
	const problem = told?.problem ?? null;
	const id = `export-${kind}-${index}`;
	return (
		<li data-testid={TESTID.exportRule} data-kind={kind} data-problem={problem === null ? undefined : ""}>
			<div className={css.rule}>
				<span className={`fld ${problem === null ? "" : "bad"}`}>
					<input
						value={rule}
						placeholder={placeholder}
						aria-label={`${one} ${index + 1}`}
						aria-invalid={problem !== null}
						aria-describedby={problem === null ? undefined : id}
						spellCheck={false}
						autoComplete="off"
						onChange={(event) => exporting.setRule(kind, index, event.target.value)}
						onKeyDown={(event) => {
							if (event.key !== "Enter") return;
							event.preventDefault();
							onEnter();
						}}
					/>
				</span>
				<span
					className={`mono num ${told && told.hits > 0 ? "" : "dim"}`}
					title="Places that it hits in this session"
					data-testid={TESTID.exportRuleHits}
				>
					{told && problem === null ? count(told.hits) : ""}
				</span>
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label={`Remove ${one} ${rule}`}
					title="Remove"
					onClick={() => exporting.removeRule(kind, index)}
				>
					<Icon of={CloseIcon} small />
				</button>
			</div>
			{problem !== null && (
				<p id={id} className={`sev-error ${css.problem}`} role="alert">
					{problem}
				</p>
			)}
		</li>
	);
}
