/** The real host. The only file that knows Tauri. */
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Backend } from "./backend";

export const tauri: Backend = {
	call: (name, args) => invoke(name, args),
	listen: (name, on) => listen(name, (event) => on(event.payload as never)),
};
