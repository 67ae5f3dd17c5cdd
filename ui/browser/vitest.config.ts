import { defineConfig } from "vitest/config";

/** `npm run test:browser` checks the pages, `npm run pictures` takes their pictures, `npm run speed` measures: in a real browser. */
export default defineConfig(({ mode }) => ({
	test: {
		dir: import.meta.dirname,
		include: mode === "pictures" || mode === "speed" ? [`${mode}.ts`] : ["*.test.ts"],
		globalSetup: [`${import.meta.dirname}/setup.ts`],
		testTimeout: 600_000,
		hookTimeout: 600_000,
	},
}));
