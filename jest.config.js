/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.computecloud/"],
  // The machine's cores belong to the engines that the tests start.
  maxWorkers: 2,
  // One command of the real engine takes seconds; on a machine under load, many.
  testTimeout: 120_000,
  // Types are checked once, by `npm run types`; here ts-jest only strips them.
  transform: { "^.+\\.ts$": ["ts-jest", { diagnostics: false, tsconfig: "tsconfig.json" }] },
};
