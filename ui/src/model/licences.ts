/** The licences of what this app is built from, as `cargo xtask licences` writes them. */

export interface Licence {
	name: string;
	version: string;
	/** SPDX expression. */
	license: string;
	/** The text, where it is kept. */
	text?: string;
}

/** Read when it is asked for: few ever look. */
export async function readLicences(): Promise<readonly Licence[]> {
	const { default: file } = await import("../licences.json");
	return file.packages;
}

/** The packages whose name or licence holds the text. */
export function findLicences(packages: readonly Licence[], text: string): readonly Licence[] {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return packages;
	return packages.filter(({ name, license }) => `${name} ${license}`.toLowerCase().includes(wanted));
}
