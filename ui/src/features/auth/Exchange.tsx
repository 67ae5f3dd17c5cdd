import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { AuthExchange } from "../../ipc/auth";
import { count, plural } from "../../model/format";
import { pretty } from "../../model/json/pretty";
import { statusTone } from "../../model/outcome";
import css from "./Auth.module.css";

interface Props {
	exchange: AuthExchange;
	/** Shows it in its session. */
	onShow: (() => void) | undefined;
}

/** A request and its answer; secrets come masked. */
export function Exchange({ exchange, onShow }: Props) {
	const { seq, method, url, status, problem } = exchange;
	const tone = status === null ? "sev-error" : `sev-${statusTone(status)}`;
	return (
		<section className={css.exchange} aria-label={`${method} ${url}`} data-testid={TESTID.signInExchange}>
			<p className={css.line}>
				<span className="mono strong">{method}</span>
				<span className={`mono ${tone}`}>{status ?? "no answer"}</span>
				<span className="grow" />
				{onShow && seq !== null && (
					<button type="button" className="btn ghost sm mono" title="Show it in its session" onClick={onShow}>
						#{count(seq)}
					</button>
				)}
			</p>
			<p className={`mono selectable ${css.url}`}>
				<Visible text={url} />
			</p>
			{problem !== null && (
				<p className="sev-error">
					<Visible text={problem} />
				</p>
			)}
			<Side title="Request" headers={exchange.request_headers} body={exchange.request_body} form />
			{status !== null && (
				<Side title="Answer" headers={exchange.response_headers} body={exchange.response_body} />
			)}
		</section>
	);
}

interface SideProps {
	title: string;
	headers: [string, string][];
	body: string | null;
	/** It may be a form, one field a line. */
	form?: boolean;
}

function Side({ title, headers, body, form = false }: SideProps) {
	if (headers.length === 0 && body === null) return null;
	return (
		<details className={css.side} open={body !== null}>
			<summary>
				{title}
				{headers.length > 0 && <span className="dim"> {plural(headers.length, "header")}</span>}
			</summary>
			{headers.length > 0 && (
				<dl className={css.facts}>
					{headers.map(([name, value], i) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a header may come several times; its place is its identity
						<div key={i}>
							<dt className="mono">
								<Visible text={name} />
							</dt>
							<dd>
								<Visible text={value} />
							</dd>
						</div>
					))}
				</dl>
			)}
			{body !== null && (
				<pre className="mono">
					<Visible text={laidOut(body, form)} lines />
				</pre>
			)}
		</details>
	);
}

/** JSON over lines; of a form one field a line, as it is encoded. */
function laidOut(body: string, form: boolean): string {
	if (/^\s*[{[]/.test(body)) return pretty(body, Number.POSITIVE_INFINITY).text;
	return form ? body.replaceAll("&", "\n&") : body;
}
