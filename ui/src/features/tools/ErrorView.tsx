import { PrettyJson } from "../../components/PrettyJson";
import { Visible } from "../../components/Visible";
import type { RpcError } from "../../model/content";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

/** A JSON-RPC error: the server's own words, with its data. */
export function ErrorView({ error }: { error: RpcError }) {
	return (
		<div className={css.error}>
			<p>
				<b className="sev-error">JSON-RPC error from the server:</b>{" "}
				<span className="mono">
					{visible(error.code)} <Visible text={error.message} lines />
				</span>
			</p>
			<p className="sub">{error.data === null ? "It sent no data with it." : "Its data:"}</p>
			{error.data !== null && <PrettyJson text={error.data} numbers={false} label="Data of the error" />}
		</div>
	);
}
