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
	/** Opens the page of all sessions, and the settings. */
	allSessions: "all-sessions",
	settings: "settings",
	settingsPage: "settings-page",
	sendDefaults: "send-defaults",
	dataFolder: "data-folder",
	/** Where secrets are kept (`data-kind`): the choice, the new passphrase (`-again` the second time), the button. */
	secretStore: "secret-store",
	secretStoreFile: "secret-store-file",
	secretStoreMemory: "secret-store-memory",
	secretStorePassphrase: "secret-store-passphrase",
	secretStoreApply: "secret-store-apply",
	/** Opens the file of secrets, wherever one is needed. */
	unlock: "unlock",
	unlockPassphrase: "unlock-passphrase",
	unlockRun: "unlock-run",
	unlockStrip: "unlock-strip",
	/** This app's own log: the way to it, its page, what is written, what is shown, a line (`data-level`), the chosen one. */
	openAppLog: "open-app-log",
	appLog: "app-log",
	appLogLevel: "app-log-level",
	appLogShown: "app-log-shown",
	appLogFilter: "app-log-filter",
	appLogCount: "app-log-count",
	appLogFolder: "app-log-folder",
	appLogLine: "app-log-line",
	appLogWhole: "app-log-whole",
	/** The about box: the way to it, the box, its search, a package. */
	openAbout: "open-about",
	about: "about",
	licenceSearch: "licence-search",
	licenceCount: "licence-count",
	licence: "licence",
	/** The fields are `retention-days` and `retention-gb`; the sentence says what will be deleted. */
	applyRetention: "apply-retention",
	retentionWords: "retention-words",
	/** Opens the palette; its field; an entry. */
	openPalette: "open-palette",
	paletteInput: "palette-input",
	paletteItem: "palette-item",
	/** How times are written: goes through local, UTC and relative. */
	timeFormat: "time-format",
	/** All sessions: the table, a row of it (`data-session`), its filter line, count and what is wrong with the filter. */
	sessionGrid: "session-grid",
	sessionLine: "session-line",
	sessionQuery: "session-query",
	sessionCount: "session-count",
	queryProblem: "query-problem",
	/** Fields in a row: the session's name and its tags. */
	sessionName: "session-name",
	sessionTags: "session-tags",
	deleteSessions: "delete-sessions",
	importSessions: "import-sessions",
	exportSessions: "export-sessions",
	/** The export: its dialog, a rule (`data-kind`, `data-problem` where it cannot be read), its hits, a new one of a kind with
	 * `-KIND`, a sample of what changes, the passphrase (`-again` the second time), what it came to. */
	exportDialog: "export-dialog",
	exportRule: "export-rule",
	exportRuleHits: "export-rule-hits",
	exportAddRule: "export-add-rule",
	exportSample: "export-sample",
	exportEncrypt: "export-encrypt",
	exportPassphrase: "export-passphrase",
	exportRun: "export-run",
	exported: "exported",
	/** An imported file that needs a passphrase, the field for it and its buttons. */
	lockedFile: "locked-file",
	lockedPassphrase: "locked-passphrase",
	lockedOpen: "locked-open",
	lockedForget: "locked-forget",
	/** What was done last, and its undo. */
	told: "told",
	undo: "undo",
	/** The search through all records: its buttons, the pane, a session in it, a hit (`data-session`, `data-seq`). */
	startSearch: "start-search",
	stopSearch: "stop-search",
	matches: "matches",
	hits: "hits",
	hitGroup: "hit-group",
	hit: "hit",
	/** Opens the panel for a new server. */
	addServer: "add-server",
	/** Its command line or URL; a URL chooses Streamable HTTP. */
	addServerInput: "add-server-input",
	/** Chooses how the server is reached. */
	transportStdio: "transport-stdio",
	transportHttp: "transport-http",
	transportSse: "transport-sse",
	/** Adds a row for a header; its fields are `headerName` and `headerValue`. */
	addHeader: "add-header",
	headerName: "header-name",
	headerValue: "header-value",
	/** Pressed where the value is kept as a secret. */
	headerSecret: "header-secret",
	/** The same for environment variables. */
	addVariable: "add-variable",
	variableName: "variable-name",
	variableValue: "variable-value",
	variableSecret: "variable-secret",
	cwd: "server-cwd",
	/** With `-auto`, `-modern`, `-legacy`; a revision is chosen in `revision`. */
	era: "era",
	revision: "revision",
	timeout: "server-timeout",
	/** Servers from another host's file: its name in `data-host`, none for a file that the user chooses. */
	hostFile: "host-file",
	reconnect: "server-reconnect",
	/** Paths whose changes restart the server, one a line. */
	watchPaths: "watch-paths",
	/** With `-total`, `-start`, `-grace`. */
	wait: "server-wait",
	/** Over the tabs of a session that restarts another: why, what changed, and the last call once more. */
	restartStrip: "restart-strip",
	runAgain: "run-again",
	restartChanges: "restart-changes",
	/** Why files of the server are not watched. */
	watchProblem: "watch-problem",
	ca: "server-ca",
	copyAsJson: "copy-as-json",
	/** Gives up what was typed for a server. */
	discard: "discard-server",
	/** JSON of another client's file; each server found in it; adds those that are checked. */
	pasteJson: "paste-json",
	pasteFound: "paste-found",
	pasteAdd: "paste-add",
	/** A pasted server in full before its first start, and the button that starts it. */
	consent: "consent",
	consentStart: "consent-start",
	/** The connection doctor: its buttons, its pane, a step in it (`data-state`), what is wrong. */
	doctorRun: "doctor-run",
	doctorStop: "doctor-stop",
	doctor: "doctor",
	doctorStep: "doctor-step",
	doctorFault: "doctor-fault",
	/** In the fault of a server that asks for a sign-in. */
	doctorSignIn: "doctor-sign-in",
	/** Signing in: the card over the workspace, the pane beside the form (`data-state`), and what they hold. A step carries
	 * `data-step` and `data-state`, a value `data-name`, a question `data-kind`, a check `data-ok`. */
	signInCard: "sign-in-card",
	auth: "auth",
	authWhy: "auth-why",
	authSettings: "auth-settings",
	authSave: "auth-save",
	signIn: "sign-in",
	signInByStep: "sign-in-by-step",
	signInStep: "sign-in-step",
	signInRun: "sign-in-run",
	signInCancel: "sign-in-cancel",
	signInStepRow: "sign-in-step-row",
	signInRestart: "sign-in-restart",
	signInFault: "sign-in-fault",
	signInCheck: "sign-in-check",
	signInConsent: "sign-in-consent",
	signInAgree: "sign-in-agree",
	signInDecline: "sign-in-decline",
	signInValue: "sign-in-value",
	/** Takes a change of a value back: `data-name`. */
	signInUsual: "sign-in-usual",
	signInExchange: "sign-in-exchange",
	signInBack: "sign-in-back",
	signInFinish: "sign-in-finish",
	token: "token",
	tokenRenew: "token-renew",
	signOut: "sign-out",
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
	/** The answer to the question that `Delete` on a server in the rail asks. */
	deleteConfirm: "delete-server-confirm",
	/** State of the open session in words. */
	connState: "conn-state",
	/** A tool, or in their tabs a prompt or resource: `data-tool` is its name, `data-broken` where it is broken. */
	toolRow: "tool-row",
	toolSearch: "tool-search",
	/** The editor of the arguments; type into its `.cm-content`. */
	argsEditor: "args-editor",
	/** Form, JSON and schema view of a tool's arguments. A field's row carries `data-row`, its place as a JSON pointer. */
	formView: "form-view",
	jsonView: "json-view",
	schemaView: "schema-view",
	form: "tool-form",
	/** The schema as the server wrote it. */
	schemaText: "schema-text",
	/** What our check says about the arguments, in a few words. */
	checkSummary: "check-summary",
	/** The question before a destructive tool, and its answers. */
	destructiveAsk: "destructive-ask",
	destructiveCancel: "destructive-cancel",
	destructiveSend: "destructive-send",
	send: "send",
	/** The exact frame that would be sent. */
	willSend: "will-send",
	/** A call that runs. */
	runningCall: "running-call",
	cancelCall: "cancel-call",
	extendCall: "extend-call",
	/** Sends a call in both eras; the two answers beside each other, what they come to. */
	sendBoth: "send-both",
	bothEras: "both-eras",
	bothVerdict: "both-verdict",
	bothCancel: "both-cancel",
	bothClose: "both-close",
	/** The result: `data-verdict` is what became of the request, `data-seq` its record. */
	result: "result",
	/** The text of the result's content blocks, structured content or raw frame. */
	resultBody: "result-body",
	/** Takes the request of the shown result up again. */
	editResend: "edit-resend",
	/** Tabs of the workspace. */
	tabTools: "tab-tools",
	/** Says that the list of tools is not of a connection that is there. */
	staleList: "stale-list",
	tabResources: "tab-resources",
	tabPrompts: "tab-prompts",
	tabServer: "tab-server",
	/** The table of capabilities: rows carry `data-capability`. */
	capabilities: "capabilities",
	tabLog: "tab-log",
	/** A log message: `data-seq`, `data-level`; the filters over them, and how many are shown. */
	logLine: "log-line",
	logLevelFilter: "log-level-filter",
	loggerFilter: "logger-filter",
	logCount: "log-count",
	/** The level that the server is asked for. */
	logLevel: "log-level",
	/** Subscribes to the resource that is filled in; listens to lists; a subscription: `data-state`, `data-updates`. */
	subscribe: "subscribe",
	listenLists: "listen-lists",
	subscription: "subscription",
	/** How this app shows itself: editors with `-info`, `-legacy`, `-modern`; its rules. */
	clientPart: "client-part",
	saveClient: "save-client",
	addRule: "add-rule",
	rule: "rule",
	/** Compares requests over the open connection with the same alone: the button, whether tools are called, rows with
	 * `data-same`, what it comes to (`data-running`). */
	stateless: "stateless",
	statelessTools: "stateless-tools",
	statelessRows: "stateless-rows",
	statelessWords: "stateless-words",
	/** Below a list: `data-what` is the list, `data-pages` how many pages are read where it is read page by page. */
	pager: "pager",
	pageByPage: "page-by-page",
	nextPage: "next-page",
	/** Good practice, below a list. */
	listNotes: "list-notes",
	ping: "ping",
	/** The times of the last pings, or why there is none. */
	pings: "pings",
	addRoot: "add-root",
	rootUri: "root-uri",
	saveRoots: "save-roots",
	/** Contents of a resource: `data-view` is how they are shown. */
	viewer: "viewer",
	saveContents: "save-contents",
	/** Reads what a resource link leads to. */
	openLink: "open-link",
	tabCompose: "tab-compose",
	/** The editor of a raw frame; type into its `.cm-content`. */
	composeEditor: "compose-editor",
	composeSend: "compose-send",
	/** A template by which a raw frame begins: `data-template` is its name. */
	composeTemplate: "compose-template",
	/** A row of the timeline: `data-seq`, `data-kind`. */
	timelineRow: "timeline-row",
	timeline: "timeline",
	/** Folds the rounds of a call under its first request. Rows of such a call carry `data-round`. */
	foldRounds: "fold-rounds",
	/** In the detail: where a frame stands among the rounds of its call, and the state that it carries. */
	roundBar: "round-bar",
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
	httpTimes: "http-times",
	/** Goes through system, light and dark; `data-value` is the current one. */
	theme: "theme",
	statusBar: "status-bar",
	/** The strip that says that this app does not record a session. */
	notRecording: "not-recording",
	tabInputs: "tab-inputs",
	/** A question of the server. */
	input: "input",
	/** Opens the address that the server asks to be visited, and accepts. */
	inputOpen: "input-open",
	inputAccept: "input-accept",
	inputDecline: "input-decline",
	inputRaw: "input-raw",
	inputText: "input-text",
	/** The strip that says that a server asks something. */
	inputStrip: "input-strip",
} as const;
