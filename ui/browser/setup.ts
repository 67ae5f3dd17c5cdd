/** Builds the page on the fake host and serves it while the tests run. */
import { build, preview } from "vite";
import type { TestProject } from "vitest/node";

/** Outside `ui`: what the app ships lies in `ui/dist`. */
const OUT = "../target/fake-page";

declare module "vitest" {
	interface ProvidedContext {
		/** Where the page is. */
		page: string;
	}
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const outDir = { build: { outDir: OUT, emptyOutDir: true }, logLevel: "warn" as const };
	// As the app ships it: vitest asks for React's own checks, which cost several times the drawing.
	process.env.NODE_ENV = "production";
	// A mode of its own: the fake host is left out of the production build.
	await build({ ...outDir, mode: "fake" });
	const server = await preview({ ...outDir, preview: { host: "127.0.0.1", port: 0 } });
	const url = server.resolvedUrls?.local[0];
	if (url === undefined) throw new Error("the page is not served");
	project.provide("page", url);
	return () => server.close();
}
