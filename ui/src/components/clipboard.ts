/** Copies text. Where the system refuses the modern way, a hidden field is copied from. */
export async function copyText(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const field = document.createElement("textarea");
		field.value = text;
		field.className = "vh";
		document.body.append(field);
		field.select();
		const done = document.execCommand("copy");
		field.remove();
		if (!done) throw new Error("the system refused to copy");
	}
}
