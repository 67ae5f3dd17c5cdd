import { useNow } from "../../components/useNow";
import { Visible } from "../../components/Visible";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { clock, count, lasting } from "../../model/format";
import { at, text } from "../../model/json/tree";
import type { ServerInfo } from "../../model/serverInfo";
import { Facts, Section } from "./Section";
import css from "./Server.module.css";

interface Props {
	row: SessionRow;
	info: ServerInfo;
	/** The record of the answer; null until it is read. */
	answer: RecordRow | null;
}

/** Who the server says it is, and how long that holds. */
export function Identity({ row, info, answer }: Props) {
	const { implementation: own } = info;
	const words = (key: string) => {
		const value = text(at(own, key));
		return value === null ? null : <Visible text={value} />;
	};
	const mono = (value: string | null) =>
		value === null ? null : (
			<span className="mono">
				<Visible text={value} />
			</span>
		);
	const cache = info.method === "initialize" ? null : <Cache info={info} answer={answer} />;
	return (
		<Section title="Identity">
			<Facts
				of={[
					["Name", mono(info.name) ?? <span className="sev-warning">Our check: it gave no name</span>],
					["Title", words("title")],
					["Version", mono(info.version)],
					["Description", words("description")],
					["Website", mono(text(at(own, "websiteUrl")))],
					["Era", row.era],
					["Speaks", mono(row.revision)],
					[info.method === "initialize" ? "Negotiated" : "Offers", mono(info.versions.join(", "))],
					["Learnt from", mono(info.method)],
					["Cache", cache],
				]}
			/>
			{info.instructions !== null && (
				<p className={css.prose}>
					<span className="dim">Instructions for the model</span>
					<br />
					<Visible text={info.instructions} lines />
				</p>
			)}
		</Section>
	);
}

/** How long the answer may be kept, and how old it is (server/utilities/caching). */
function Cache({ info: { ttlMs, cacheScope }, answer }: Pick<Props, "info" | "answer">) {
	const now = useNow(1000) * 1000;
	if (ttlMs === null && cacheScope === null) return <span className="sev-warning">Our check: no hints</span>;
	const ttl = Number(ttlMs ?? Number.NaN);
	const left = answer && ttl > 0 ? answer.at_us + ttl * 1000 - now : 0;
	return (
		<>
			<span className="mono">
				ttlMs {ttlMs === null ? "missing" : count(ttl)} · {cacheScope ?? "no scope"}
			</span>
			{answer && (
				<span className="sub">
					{" "}
					asked at {clock(answer.at_us).slice(0, 8)},{" "}
					{left > 0 ? `fresh for ${lasting(left)} more` : `stale, ${lasting(now - answer.at_us)} old`}
				</span>
			)}
		</>
	);
}
