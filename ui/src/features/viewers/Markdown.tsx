import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { visible } from "../../model/visible";
import css from "./Viewers.module.css";

/** Nothing is fetched and nothing is a link: what a link or picture leads to stands beside it. */
const PARTS: Components = {
	a: ({ href, children }) => (
		<Target to={href} what="link">
			{children}
		</Target>
	),
	img: ({ src, alt }) => (
		<Target to={src} what="picture, not loaded">
			{alt}
		</Target>
	),
	input: ({ checked }) => <span className="mono">{checked ? "[x]" : "[ ]"}</span>,
};

/** Markdown from outside. Raw HTML in it is text like any other. */
export function Markdown({ text, label }: { text: string; label: string }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
		<section className={css.markdown} aria-label={label} tabIndex={0}>
			<ReactMarkdown
				remarkPlugins={[gfm]}
				rehypePlugins={[writtenOut]}
				components={PARTS}
				// Kept to be read; none is ever followed.
				urlTransform={(url) => url}
			>
				{text}
			</ReactMarkdown>
		</section>
	);
}

function Target({ to, what, children }: { to: unknown; what: string; children: ReactNode }) {
	const url = typeof to === "string" ? visible(to) : "";
	return (
		<span title={url}>
			<span className={css.link}>{children}</span>{" "}
			<span className="dim mono">
				[{what}: {url}]
			</span>
		</span>
	);
}

interface Node {
	type: string;
	value?: string;
	children?: Node[];
}

/** Characters that cannot be seen are written out, as everywhere. */
function writtenOut() {
	return (tree: Node): void => {
		const walk = (node: Node): void => {
			if (node.type === "text" && node.value !== undefined) {
				node.value = node.value
					.split(/([\n\t])/)
					.map((part) => (part === "\n" || part === "\t" ? part : visible(part)))
					.join("");
			}
			node.children?.forEach(walk);
		};
		walk(tree);
	};
}
