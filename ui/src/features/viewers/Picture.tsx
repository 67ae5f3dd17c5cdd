import { useState } from "react";
import css from "./Viewers.module.css";

/** A picture from its own data; one that cannot be drawn says so. */
export function Picture({ src }: { src: string }) {
	const [failed, setFailed] = useState(false);
	const [size, setSize] = useState("");
	if (failed) return <p className="sub">This app cannot draw this picture. Its bytes are in Raw.</p>;
	return (
		<figure className={css.picture}>
			<img
				src={src}
				alt="From the server"
				onError={() => setFailed(true)}
				onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
					setSize(`${naturalWidth} × ${naturalHeight}`)
				}
			/>
			<figcaption className="dim xs">{size}</figcaption>
		</figure>
	);
}
