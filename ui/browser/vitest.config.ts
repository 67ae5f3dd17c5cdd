import { defineConfig } from "vitest/config";

/** `npm run test:browser` checks the pages, `npm run pictures` takes their pictures: both in a real browser. */
export default defineConfig(({ mode }) => ({
	test: {
		dir: import.meta.dirname,
		include: mode === "pictures" ? ["pictures.ts"] : ["*.test.ts"],
		globalSetup: [`${import.meta.dirname}/setup.ts`],
		testTimeout: 120_000,
		hookTimeout: 120_000,
	},
}));
