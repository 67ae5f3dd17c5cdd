import { useMemo } from "react";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import type { Callable } from "../../model/callable";
import { Completer, type Completion } from "../../model/completion";
import type { FormDraft } from "../../model/form/draft";
import type { Row } from "../../model/form/rows";
import { declares } from "../../model/serverInfo";

/** What a server offers for the fields of a call; null where it declares no `completions`, or cannot be asked. */
export function useCompletion(
	app: AppStore,
	row: SessionRow,
	{ ref }: Callable,
	draft: FormDraft,
): ((row: Row, value: string) => Promise<Completion>) | null {
	const infos = useStore(app.infos);
	const able = row.conn.state === "connected" && !row.elsewhere;
	const declared = declares(infos.of(row.id), "completions") === true;
	const { backend } = app;
	return useMemo(() => {
		if (ref === null || !able || !declared) return null;
		const completer = new Completer(backend, row.id);
		return (field, value) => completer.complete(ref, field.name, value, draft.text);
	}, [backend, row.id, ref, able, declared, draft]);
}
