import { Component, type ReactNode } from "react";

interface State {
	failure: string | null;
}

/** A fault in one part of the page is said there, and the rest goes on. */
export class ErrorBoundary extends Component<{ part: string; children: ReactNode }, State> {
	override state: State = { failure: null };

	static getDerivedStateFromError(error: unknown): State {
		return { failure: error instanceof Error ? error.message : String(error) };
	}

	override render(): ReactNode {
		if (this.state.failure === null) return this.props.children;
		return (
			<div className="empty" role="alert">
				<p className="sev-error">
					A fault in this app: {this.props.part} cannot be shown. The log is not affected.
				</p>
				<p className="mono selectable">{this.state.failure}</p>
				<div className="acts">
					<button type="button" className="btn sm" onClick={() => this.setState({ failure: null })}>
						Show again
					</button>
				</div>
			</div>
		);
	}
}
