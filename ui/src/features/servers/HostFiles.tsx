import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { FolderIcon } from "../../components/icons";
import type { Backend } from "../../ipc/backend";
import type { HostFileRow } from "../../ipc/bindings/HostFileRow";
import type { HostServers } from "../../ipc/bindings/HostServers";
import { words } from "../../model/errors";
import { visible } from "../../model/visible";
import css from "./ServerForm.module.css";

interface Props {
	backend: Backend;
	/** What was read, or why it could not be. */
	onRead: (read: { file: HostServers | null; problem: string | null }) => void;
}

/** The files in which other hosts on this machine keep their servers, and any other. */
export function HostFiles({ backend, onRead }: Props) {
	const [files, setFiles] = useState<readonly HostFileRow[]>([]);
	useEffect(() => {
		let live = true;
		backend.call("list_host_files", {}).then(
			(found) => live && setFiles(found),
			// There is a button for any file all the same.
			() => undefined,
		);
		return () => {
			live = false;
		};
	}, [backend]);
	const read = async (host: string | null) => {
		try {
			const file = await backend.call("read_host_file", { host });
			if (file) onRead({ file, problem: null });
		} catch (error) {
			onRead({ file: null, problem: words(error) });
		}
	};
	return (
		<fieldset className={css.hosts} aria-label="Servers of another host">
			<span className="dim xs">Import from</span>
			{files.map(({ host, path }) => (
				<button
					key={host}
					type="button"
					className="btn sm"
					title={visible(path)}
					data-testid={TESTID.hostFile}
					data-host={host}
					onClick={() => void read(host)}
				>
					{host}
				</button>
			))}
			<button
				type="button"
				className="btn sm"
				title="mcpServers of any host, .mcp.json, or server.json of the registry"
				data-testid={TESTID.hostFile}
				onClick={() => void read(null)}
			>
				<Icon of={FolderIcon} small />
				File…
			</button>
		</fieldset>
	);
}
