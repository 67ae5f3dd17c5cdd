import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Icon } from "./Icon";
import { CloseIcon } from "./icons";
import css from "./Modal.module.css";

interface Props {
	open: boolean;
	onClose: () => void;
	/** Its size and place. */
	className: string | undefined;
	/** Where no `ModalTitle` names it. */
	label?: string;
	testId?: string;
	/** Keys of the window do nothing while it is open. */
	ownKeys?: boolean;
	children: ReactNode;
}

/** A dialog over the page, left by Escape or a press beside it. */
export function Modal({ open, onClose, className, label, testId, ownKeys, children }: Props) {
	return (
		<Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
			<Dialog.Portal>
				<Dialog.Backdrop className={css.backdrop ?? ""} />
				<Dialog.Popup
					className={`${css.popup} ${className ?? ""}`}
					aria-label={label}
					data-own-keys={ownKeys ? "" : undefined}
					data-testid={testId}
				>
					{children}
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}

/** The line at the top: what it is, and the way out. */
export function ModalHead({ children }: { children: ReactNode }) {
	return (
		<header className={css.head}>
			{children}
			<Dialog.Close className="btn ghost sm ico" aria-label="Close" title="Close (Esc)">
				<Icon of={CloseIcon} small />
			</Dialog.Close>
		</header>
	);
}

export function ModalTitle({ children }: { children: ReactNode }) {
	return <Dialog.Title className={`trunc ${css.title}`}>{children}</Dialog.Title>;
}

/** A button that leaves it. */
export function ModalClose({ children }: { children: ReactNode }) {
	return <Dialog.Close className="btn">{children}</Dialog.Close>;
}
