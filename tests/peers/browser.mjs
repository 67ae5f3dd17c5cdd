// A person at a browser who signs in and agrees to everything: `node browser.mjs URL` follows redirects and sends each form
// that it meets, until it has been sent back to the app.
const cookies = new Map();
let [, , url] = process.argv;
let body;
for (let pages = 0; url && pages < 20; pages += 1) {
	const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	const response = await fetch(url, { method: body ? "POST" : "GET", body, redirect: "manual", headers: { cookie } });
	for (const line of response.headers.getSetCookie()) {
		const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
		if (value === "") cookies.delete(name);
		else cookies.set(name, value);
	}
	const location = response.headers.get("location");
	const page = await response.text();
	const form = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
	const next = location ?? form;
	body = location || !form ? undefined : new URLSearchParams({ prompt: /name="prompt" value="([^"]+)"/.exec(page)?.[1], login: "ada", password: "any" });
	url = next && new URL(next, url).href;
}
