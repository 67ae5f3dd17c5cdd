/** What the tools of the made-up server answer. */

/** An answer: after how long, and what. */
export interface Answer {
	/** Milliseconds. */
	after: number;
	/** The `result` or `error` member. */
	body: string;
	error?: { code: number };
	isError?: boolean;
	/** Progress is told on the way, of so many steps. */
	steps?: number;
	/** The request times out after so many milliseconds. */
	timeout?: number;
}

const result = (content: string, more = ""): string =>
	`"result":{"resultType":"complete","content":[${content}]${more}}`;
const text = (words: string): string => `{"type":"text","text":${JSON.stringify(words)}}`;

/** What a tool answers. */
export function answerOf(name: string): Answer {
	return ANSWERS[name] ?? plain(name);
}

function plain(name: string): Answer {
	const structured = ',"structuredContent":{"exact":9007199254740993,"one":1.0}';
	return { after: 90, body: result(text(`${name} says hello`), structured) };
}

const ORDER = `,"structuredContent":{"order_id":"SO-1042","status":"reserved","total_cents":"9007199254740993","lines":[{"sku":"KX-2210-B","quantity":2,"warehouse":"BER1"}],"created_at":"2026-11-29T14:02:09.918Z"}`;
const ERROR = {
	after: 60,
	body: '"error":{"code":-32042,"message":"custom failure","data":{"hint":"look here","trace":[1,2,3]}}',
};

/** A red dot, 8 × 8. */
export const DOT =
	"iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC";
/** A moment of silence. */
export const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const ANSWERS: Record<string, Answer> = {
	"orders.create": {
		after: 48,
		body: result(text("Order SO-1042 is reserved.\nShip by 2026-12-04."), ORDER),
	},
	"orders.get": {
		after: 30,
		body: result(
			text("SO-1042"),
			',"structuredContent":{"order_id":"SO-1042","total_cents":9007199254740993}',
		),
	},
	"orders.list": { after: 30, body: result(text('[{"order_id":"SO-1042","total_cents":9007199254740993}]')) },
	"reports.run": { after: 28_000, body: result(text("120 rows")), steps: 120 },
	"reports.big": {
		after: 90,
		body: `"result":{"content":[],"structuredContent":{"rows":[${Array.from({ length: 160_000 }, (_, i) => `{"id":9007199254740993,"sku":"KX-${i}","rate":1.0,"stock":null}`).join(",")}]}}`,
	},
	"reports.late": { after: 1600, body: result(text("better late than never")), timeout: 600 },
	"faults.rpc_error": { ...ERROR, error: { code: -32042 } },
	"faults.tool_error": { after: 40, body: result(text("disk is full"), ',"isError":true'), isError: true },
	"stock.picture": {
		after: 40,
		body: result(
			[
				text("A dot, a sound, a file and a link"),
				`{"type":"image","mimeType":"image/png","data":"${DOT}","annotations":{"audience":["user"],"priority":0.8}}`,
				`{"type":"audio","mimeType":"audio/wav","data":"${SILENCE}"}`,
				'{"type":"resource","resource":{"uri":"stock://KX-2210-B","mimeType":"text/csv","text":"sku,stock\\nKX-2210-B,14"}}',
				'{"type":"resource_link","uri":"https://example.com/kx.pdf","name":"kx.pdf","title":"Data sheet","mimeType":"application/pdf","size":48213}',
				'{"type":"hologram","depth":3}',
			].join(","),
		),
	},
};
