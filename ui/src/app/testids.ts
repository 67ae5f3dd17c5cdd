/**
 * Names by which tests find things on the page; the journeys on the real app rely on them. Beside these:
 * timeline rows carry `data-seq` and `data-kind`; server rows `data-server`, session rows `data-session`, tool rows
 * `data-tool`; buttons have their words as accessible names (Connect, Stop, Restart (over HTTP Disconnect, Reconnect), Send, Cancel, Clear filter).
 */
export const TESTID = {
	/** A server in the rail: `data-server` is its id, `data-state` its connection's state. */
	serverRow: "server-row",
	/** A session in the rail: `data-session` is its id, `data-origin` who recorded it. */
	sessionRow: "session-row",
	/** Opens the panel for a new server. */
	addServer: "add-server",
	/** Its command line or URL; a URL chooses Streamable HTTP. */
	addServerInput: "add-server-input",
	/** Chooses how the server is reached. */
	transportStdio: "transport-stdio",
	transportHttp: "transport-http",
	/** Adds a row for a header; its fields are `headerName` and `headerValue`. */
	addHeader: "add-header",
	headerName: "header-name",
	headerValue: "header-value",
	/** Opens the panel for a server that is there. */
	editServer: "edit-server",
	addServerName: "add-server-name",
	/** A word of the split command line. */
	argvChip: "argv-chip",
	/** Saves the new server and connects. */
	addServerConnect: "add-server-connect",
	addServerSave: "add-server-save",
	/** Buttons of the line above the workspace. */
	connect: "connect",
	stop: "stop",
	restart: "restart",
	/** Deletes the server; then `deleteConfirm`. */
	deleteServer: "delete-server",
	deleteConfirm: "delete-server-confirm",
	/** State of the open session in words. */
	connState: "conn-state",
	/** A tool: `data-tool` is its name, `data-broken` where it is broken. */
	toolRow: "tool-row",
	toolSearch: "tool-search",
	/** The editor of the arguments; type into its `.cm-content`. */
	argsEditor: "args-editor",
	send: "send",
	/** The exact frame that would be sent. */
	willSend: "will-send",
	/** A call that runs. */
	runningCall: "running-call",
	cancelCall: "cancel-call",
	extendCall: "extend-call",
	/** The result: `data-verdict` is what became of the request, `data-seq` its record. */
	result: "result",
	/** The text of the result's content blocks, structured content or raw frame. */
	resultBody: "result-body",
	/** A row of the timeline: `data-seq`, `data-kind`. */
	timelineRow: "timeline-row",
	timeline: "timeline",
	filterInput: "filter-input",
	filterProblem: "filter-problem",
	/** `42 of 47`. */
	filterCount: "filter-count",
	/** Follows the tail while pressed. */
	tail: "tail",
	/** Takes the timeline back to its tail: `128 new`. */
	newRows: "new-rows",
	/** How the server ended. */
	exitCard: "exit-card",
	/** Menu of a row or cell: `Only kind:error`, `Not kind:error`, and what the row can do. */
	rowMenu: "row-menu",
	/** A term of the filter, with a button that takes it away. */
	filterChip: "filter-chip",
	/** Opens the list of columns; the field of a column's width has the column's name. */
	columns: "columns",
	/** Over a long body: its size, and how to show all, the bytes, or save it. */
	longBar: "long-bar",
	/** Edits and resends the selected frame. */
	resend: "resend",
	/** Detail of the selected record: `data-seq`. */
	detail: "detail",
	/** The detail's text: pretty, raw or hex. */
	detailBody: "detail-body",
	/** The headers of the exchange that carried the selected record. */
	headers: "headers",
	/** In Pair: the records of that exchange. */
	exchange: "exchange",
	/** The status in them. */
	httpStatus: "http-status",
	/** Goes through system, light and dark; `data-theme-setting` is the current one. */
	theme: "theme",
	statusBar: "status-bar",
} as const;
