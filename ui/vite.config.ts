import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
	plugins: [react()],
	build: {
		target: "es2022",
		// The whole page is one local file; splitting it would save nothing.
		chunkSizeWarningLimit: 2000,
	},
	// The golden sessions lie beside `ui/`; tests also read schemas beside the repository, where they are.
	server: { fs: { allow: [".."], strict: mode !== "test" } },
	test: { environment: "jsdom", dir: "src", setupFiles: ["src/test-setup.ts"], testTimeout: 90_000, hookTimeout: 90_000 },
}));
