/** What the made-up server offers beside tools, and what it answers about that. */
import type { OfferKind } from "../bindings/OfferKind";
import type { OfferRow } from "../bindings/OfferRow";
import { type Answer, DOT, SILENCE } from "./answers";

const offer = (raw: Record<string, unknown>, more: Partial<OfferRow> = {}): OfferRow => ({
	name: String(raw.name ?? ""),
	title: (raw.title as string) ?? null,
	description: (raw.description as string) ?? null,
	uri: String(raw.uri ?? raw.uriTemplate ?? ""),
	mime_type: (raw.mimeType as string) ?? null,
	size: (raw.size as number) ?? null,
	arguments: ((raw.arguments as { name: string }[]) ?? []).map((argument) => ({
		title: null,
		description: null,
		required: false,
		...argument,
	})),
	raw: JSON.stringify(raw),
	problem: null,
	...more,
});

const ICON = `data:image/png;base64,${DOT}`;

export const OFFERS: Record<OfferKind, OfferRow[]> = {
	resources: [
		offer({
			uri: "orders://open",
			name: "open-orders",
			title: "Open orders",
			description: "All orders that have not been shipped",
			mimeType: "application/json",
			size: 412,
			annotations: { audience: ["user", "assistant"], priority: 0.9, lastModified: "2026-11-29T13:58:01Z" },
			icons: [{ src: ICON, mimeType: "image/png" }, { src: "https://example.com/icon.svg" }],
		}),
		offer({ uri: "docs://handbook.md", name: "handbook.md", mimeType: "text/markdown" }),
		offer({ uri: "docs://terms.txt", name: "terms.txt", mimeType: "text/plain", size: 4096 }),
		offer({ uri: "docs://shelf.png", name: "shelf.png", mimeType: "image/png", size: 75 }),
		offer({ uri: "docs://sheet.pdf", name: "sheet.pdf", mimeType: "application/pdf" }),
		offer({ uri: "docs://gone", name: "gone", description: "Listed, but not there" }),
	],
	templates: [
		offer({
			uriTemplate: "stock://{region}/{sku}{?at,fields*}",
			name: "stock",
			title: "Stock of an article",
			description: "How many there are, in a region at a time",
			mimeType: "application/json",
		}),
		offer({ uriTemplate: "orders://{id}", name: "order", description: "One order" }),
	],
	prompts: [
		offer({
			name: "orders.apologise",
			title: "Apologise for a late order",
			description: "A letter to a customer whose order is late",
			arguments: [
				{ name: "order_id", description: "The order that is late", required: true },
				{ name: "language", title: "Language", description: "Of the letter" },
				{ name: "tone" },
			],
		}),
		offer({ name: "orders.review", description: "Looks through the open orders" }),
		offer({ name: "stock.forecast", arguments: [{ name: "region", required: true }] }),
		offer({ description: "nameless" }, { problem: "The item has no name: a prompt needs one." }),
	],
};

const text = (words: string) => ({ type: "text", text: words });

const MESSAGES = {
	resultType: "complete",
	description: "A letter about SO-1042",
	messages: [
		{ role: "user", content: text("Write to the customer of SO-1042.\nBe brief, and <b>kind</b>.") },
		{ role: "assistant", content: text("Which language?") },
		{ role: "user", content: { type: "image", mimeType: "image/png", data: DOT } },
		{ role: "user", content: { type: "audio", mimeType: "audio/wav", data: SILENCE } },
		{
			role: "user",
			content: {
				type: "resource",
				resource: { uri: "orders://SO-1042", mimeType: "application/json", text: '{"order":"SO-1042"}' },
			},
		},
		{
			role: "user",
			content: {
				type: "resource_link",
				uri: "docs://handbook.md",
				name: "handbook.md",
				mimeType: "text/markdown",
			},
		},
	],
};

const HANDBOOK = `# Handbook

How we *ship*, with \`code\` and [a link](https://example.com/x).

| region | days |
|--------|-----:|
| EU | 2 |
| US | 5 |

- [x] packed
- [ ] sent

<script>alert(1)</script> <img src=x onerror=alert(1)>

![A remote picture](https://example.com/track.png)

\`\`\`json
{"sku": "KX-2210-B"}
\`\`\`
`;

const CONTENTS: Record<string, Record<string, unknown>> = {
	"orders://open": {
		mimeType: "application/json",
		text: '[{"order_id":"SO-1042","total_cents":9007199254740993},{"order_id":"SO-1043","total_cents":120}]',
	},
	"docs://handbook.md": { mimeType: "text/markdown", text: HANDBOOK },
	"skill://returns/SKILL.md": { mimeType: "text/markdown", text: "# Returns\n\nAsk *why*." },
	"docs://terms.txt": { mimeType: "text/plain", text: "No returns.\n".repeat(300) },
	"docs://shelf.png": { mimeType: "image/png", blob: DOT },
	"docs://sheet.pdf": { mimeType: "application/pdf", blob: btoa("%PDF-1.7\n%\u00e2\u00e3 a page\n%%EOF") },
};

const VALUES: Record<string, readonly string[]> = {
	order_id: ["SO-1042", "SO-1043", "SO-1101"],
	language: ["English", "Deutsch", "Français", "日本語"],
	region: ["eu", "us", "asia"],
	sku: ["KX-2210-A", "KX-2210-B"],
};

const SKILLS = [
	{
		uri: "skill://returns/SKILL.md",
		frontmatter: { name: "returns", description: "How to take an order back" },
		resources: [{ uri: "skill://returns/rules.csv", digest: `sha256:${"0".repeat(64)}`, size: 1300 }],
	},
];

/** What the server answers to a request that is no tool call. */
export function offerAnswer(method: string, params: string | null): Answer | null {
	const asked = (params === null ? {} : JSON.parse(params)) as Record<string, never>;
	switch (method) {
		case "prompts/get":
			return result(MESSAGES);
		case "resources/read":
			return read(String(asked.uri ?? ""));
		case "completion/complete":
			return complete(asked);
		case "skills/list":
			return result({ resultType: "complete", skills: SKILLS, ttlMs: 0, cacheScope: "public" });
		case "ping":
		case "logging/setLevel":
		case "resources/subscribe":
		case "resources/unsubscribe":
			return { after: 12, body: '"result":{}' };
		default:
			return null;
	}
}

function read(uri: string): Answer {
	const made = uri.startsWith("stock://")
		? { mimeType: "application/json", text: `{"uri":"${uri}","qty":3}` }
		: null;
	const content = CONTENTS[uri] ?? made;
	if (content)
		return result({
			resultType: "complete",
			ttlMs: 0,
			cacheScope: "private",
			contents: [{ uri, ...content }],
		});
	return {
		after: 20,
		body: `"error":${JSON.stringify({ code: -32602, message: "Resource not found", data: { uri } })}`,
		error: { code: -32602 },
	};
}

function complete({ argument }: { argument?: { name: string; value: string } }): Answer {
	const wanted = argument?.value.toLowerCase() ?? "";
	const values = (VALUES[argument?.name ?? ""] ?? []).filter((value) =>
		value.toLowerCase().startsWith(wanted),
	);
	return {
		...result({ resultType: "complete", completion: { values, total: values.length, hasMore: false } }),
		after: 5,
	};
}

function result(value: unknown): Answer {
	return { after: 40, body: `"result":${JSON.stringify(value)}` };
}

/** How the made-up server introduces itself. */
export const DISCOVERED =
	'{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":false},"prompts":{},"completions":{},"logging":{},"experimental":{"com.example/speed":{"level":3}},"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/skills":{"directoryRead":false}}},"instructions":"Look an order up before you change it.\\nNever refund twice.","ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"orders-mcp","version":"0.9.1","title":"Orders of a small shop","websiteUrl":"https://example.com"}}}';

/** The same of a server that has nothing. */
export const BARE =
	'{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"orders-mcp","version":"0.9.1"}}}';
