import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { ExchangeRow } from "../../ipc/bindings/ExchangeRow";
import type { HttpRow } from "../../ipc/bindings/HttpRow";
import { clock, duration } from "../../model/format";
import { statusTone } from "../../model/outcome";
import css from "./Frame.module.css";

interface Props {
	exchange: ExchangeRow;
	onSelect: (seq: number) => void;
}

/** The HTTP exchange that carried a record: what was asked, with which headers, and how it was answered. */
export function HeadersView({ exchange: { request, response, end }, onSelect }: Props) {
	return (
		<div className={css.headers} data-testid={TESTID.headers}>
			{request && response && <Times request={request} response={response} end={end} />}
			{request && (
				<Part title="Request" part={request} onSelect={onSelect}>
					<span className="strong">{request.method}</span> <Visible text={request.url ?? ""} />
				</Part>
			)}
			{response ? (
				<Part title="Response" part={response} onSelect={onSelect}>
					<span className={`strong ${toneClass(response.status)}`} data-testid={TESTID.httpStatus}>
						{response.status}
					</span>{" "}
					<span className="dim">{response.text}</span>
				</Part>
			) : (
				end === null && <p className="dim">No response yet.</p>
			)}
			{end && (response === null || end.text !== null) && (
				<Part title="End" part={end} onSelect={onSelect}>
					{end.text === null ? "Without a response." : <Visible text={end.text} />}
				</Part>
			)}
		</div>
	);
}

/** How long the parts of the exchange took, from the moment that the request was logged. */
function Times({ request, response, end }: { request: HttpRow; response: HttpRow; end: HttpRow | null }) {
	const since = (part: HttpRow) => duration(Math.max(part.at_us - request.at_us, 0));
	const connection = response.connect_us;
	const times = [
		...(connection === null
			? []
			: [["connection", connection === 0 ? "there already" : duration(connection)]]),
		["first byte", since(response)],
		["end", end ? since(end) : "not yet"],
	];
	return (
		<p className={css.times} data-testid={TESTID.httpTimes}>
			{times.map(([name, time]) => (
				<span key={name}>
					<span className="dim">{name}</span> <span className="mono">{time}</span>
				</span>
			))}
		</p>
	);
}

interface PartProps {
	title: string;
	part: HttpRow;
	onSelect: (seq: number) => void;
	children: React.ReactNode;
}

function Part({ title, part, onSelect, children }: PartProps) {
	return (
		<section aria-label={title}>
			<p className={css.part}>
				{title}
				<button
					type="button"
					className="btn sm mono"
					title="Go to its row"
					onClick={() => onSelect(part.seq)}
				>
					#{part.seq}
				</button>
				<span className="mono dim">{clock(part.at_us)}</span>
			</p>
			<p className="mono">{children}</p>
			{part.headers.length > 0 && (
				<dl>
					{part.headers.map(([name, value], i) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a header may come several times; its place is its identity
						<Header key={i} name={name} value={value} />
					))}
				</dl>
			)}
		</section>
	);
}

function Header({ name, value }: { name: string; value: string }) {
	return (
		<>
			<dt>
				<Visible text={name} />
			</dt>
			<dd>
				<Visible text={value} />
			</dd>
		</>
	);
}

function toneClass(status: number | null): string {
	const tone = status === null ? "none" : statusTone(status);
	return tone === "none" ? "" : `sev-${tone}`;
}
