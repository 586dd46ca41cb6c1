import type { Config } from "jest";

// Types are checked once, by `npm run types`; here ts-jest only strips them.
const config: Config = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.computecloud/"],
  transform: { "^.+\\.ts$": ["ts-jest", { diagnostics: false, tsconfig: "tsconfig.json" }] },
};

export default config;
