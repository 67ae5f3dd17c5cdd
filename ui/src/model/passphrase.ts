/** What a new passphrase must be. */

/** Characters that a passphrase has at least. */
export const SHORTEST = 8;

/** What is wrong with a new passphrase that is typed twice, in words; null where nothing is. */
export function passphraseProblem(first: string, second: string): string | null {
	// A character is what the eye takes for one, as near as the language counts it.
	const length = [...first].length;
	if (length < SHORTEST) return `The passphrase needs at least ${SHORTEST} characters`;
	return first === second ? null : "The two passphrases differ";
}
