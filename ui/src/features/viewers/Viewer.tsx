import { useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeView } from "../../components/CodeView";
import { CopyButton } from "../../components/CopyButton";
import { PrettyJson } from "../../components/PrettyJson";
import { Segments } from "../../components/Segments";
import { count } from "../../model/format";
import { hexDump } from "../../model/hex";
import { bytesOf, dataUrl, type Media, type View, viewsOf } from "../../model/media";
import { Markdown } from "./Markdown";
import { Picture } from "./Picture";
import { type Save, SaveButton } from "./SaveButton";
import css from "./Viewers.module.css";

/** Bytes of a hex dump. */
const HEX_BYTES = 64 * 1024;

const LABELS: Record<View, string> = {
	markdown: "Markdown",
	json: "JSON",
	picture: "Picture",
	sound: "Sound",
	text: "Text",
	bytes: "Bytes",
};

interface Props {
	media: Media & { uri: string };
	save: Save;
	/** What it is, for screen readers and the row above it. */
	label: string;
	/** It has all of the room; else it is as high as it needs to be, up to a limit. */
	alone: boolean;
}

/** Contents of a resource, shown as their type wants it; the text or bytes are always one click away. */
export function Viewer({ media, save, label, alone }: Props) {
	const { text } = media;
	const views = useMemo(() => viewsOf(media), [media]);
	const [chosen, setChosen] = useState<View | null>(null);
	const view = views.find((one) => one === chosen) ?? views[0];
	if (view === undefined) return <p className="sub">There is neither text nor a blob in it.</p>;
	return (
		<div className={alone ? css.alone : css.boxed} data-testid={TESTID.viewer} data-view={view}>
			<div className={css.head}>
				<span className="trunc grow">{label}</span>
				{views.length > 1 && (
					<Segments
						label="Show as"
						value={view}
						onChange={setChosen}
						options={views.map((one) => ({ value: one, label: LABELS[one] }))}
					/>
				)}
				{text !== null && <CopyButton text={() => text} label="Copy the text" />}
				<SaveButton uri={media.uri} text={text} blob={media.blob} save={save} />
			</div>
			<Shown view={view} media={media} label={label} />
		</div>
	);
}

function Shown({ view, media, label }: { view: View; media: Media; label: string }) {
	const { text, blob } = media;
	switch (view) {
		case "markdown":
			return <Markdown text={text ?? ""} label={label} />;
		case "json":
			return <PrettyJson text={text ?? ""} numbers={false} label={label} />;
		case "text":
			return <CodeView text={text ?? ""} wrap label={label} />;
		case "picture":
			return (
				<div className={css.drawn}>
					<Picture src={dataUrl(media)} />
				</div>
			);
		case "sound":
			return (
				<div className={css.drawn}>
					{/* biome-ignore lint/a11y/useMediaCaption: a server's sound comes without captions */}
					<audio controls preload="metadata" src={dataUrl(media)} />
				</div>
			);
		case "bytes":
			return <Bytes blob={blob ?? ""} label={label} />;
	}
}

function Bytes({ blob, label }: { blob: string; label: string }) {
	const bytes = useMemo(() => bytesOf(blob), [blob]);
	const dump = useMemo(() => hexDump(bytes.subarray(0, HEX_BYTES)), [bytes]);
	return (
		<>
			<CodeView text={dump} label={`Bytes of ${label}`} />
			{bytes.length > HEX_BYTES && (
				<p className={css.head}>The first 64 KiB of {count(bytes.length)} bytes.</p>
			)}
		</>
	);
}
