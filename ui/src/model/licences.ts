/** The licences of what this app is built from, as `cargo xtask licences` writes them. */

export interface Licence {
	name: string;
	version: string;
	/** SPDX expression. */
	license: string;
	/** The texts that it asks to be passed on, one after the other; empty where its package holds none. */
	text: string;
}

/** The file; each text stands in it once. */
interface Listed {
	packages: { name: string; version: string; license: string; texts: number[] }[];
	texts: string[];
}

/** None in a build by hand that did not write it. */
const FILE = import.meta.glob<Listed>("../../generated/licences.json", { import: "default" });

/** Read when it is asked for: few ever look. */
export async function readLicences(): Promise<readonly Licence[]> {
	const [read] = Object.values(FILE);
	if (!read)
		throw new Error(
			"this build has none. Build it by `cargo xtask run`, or write it by `cargo xtask licences`",
		);
	const { packages, texts } = await read();
	return packages.map(({ texts: places, ...one }) => ({
		...one,
		text: places.map((place) => texts[place] ?? "").join("\n\n"),
	}));
}

/** The packages whose name or licence holds the text. */
export function findLicences(packages: readonly Licence[], text: string): readonly Licence[] {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return packages;
	return packages.filter(({ name, license }) => `${name} ${license}`.toLowerCase().includes(wanted));
}
