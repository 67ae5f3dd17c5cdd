import { createContext, useContext } from "react";
import type { Completion } from "../../model/completion";
import type { Failure } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import type { Row } from "../../model/form/rows";

/** What the controls of a form share. */
export interface FormHost {
	draft: FormDraft;
	/** A DOM id for a row's control. */
	idOf: (row: Row) => string;
	failuresOf: (row: Row) => readonly Failure[];
	/** What may be offered for a field as it is typed; null where nobody offers anything. */
	complete: ((row: Row, value: string) => Promise<Completion>) | null;
	/** Opens the menu of a row's states beside an element. */
	openMenu: (row: Row, anchor: HTMLElement) => void;
}

const Context = createContext<FormHost | null>(null);

export const FormProvider = Context.Provider;

export function useForm(): FormHost {
	const host = useContext(Context);
	if (!host) throw new Error("a control outside of a form");
	return host;
}
