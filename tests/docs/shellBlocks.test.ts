// @long: every shell block of the documents.
/* Every `sh` block of README and documents runs, one after the other, in one project before an emulator. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../tools/run/process";
import { newStack, type Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { linkCommand } from "../harness/commandLine";
import { blocksOf, pages } from "./pages";

const { scripts } = require("../../package.json") as { scripts: Record<string, string> };

/** What readers fill in, and what the machine of the tests has done before. */
const substitutions: readonly (readonly [what: string | RegExp, by: string])[] = [
  // The checkout is what would be installed; its scripts have tests of their own.
  [/^npm (install|ci|start|test|run).*$/gm, ":"],
  ["export COMPUTECLOUD_API_KEY=…", "export COMPUTECLOUD_API_KEY=$KEY"],
  ["export COMPUTECLOUD_API_KEY=emulator-key", "export COMPUTECLOUD_API_KEY=$KEY"],
  ["http://127.0.0.1:4010/graphql", "$GRAPHQL_URL"],
  ["http://127.0.0.1:4010", "$BASE_URL"],
  ["http://127.0.0.1:4011", "$SERVERLESS_URL"],
  ["registryPassword …", "registryPassword change-me"],
  ["<endpointId>", "$(pulumi stack output endpointId)"],
];

/** What the blocks read. */
const files = {
  "pod.json": JSON.stringify({ name: "old", imageName: "nginx:1", gpuTypeIds: ["NVIDIA L4"] }),
  "preset.json": JSON.stringify({ name: "old", imageName: "nginx:1" }),
};

const { emulator } = emulatorForAll();
let stack: Stack;

beforeAll(async () => {
  const [program] = blocksOf("README.md", "ts");
  stack = await newStack({ program: { files: { "index.ts": program?.code ?? "", ...files } }, emulator });
  await linkCommand(stack.project);
});

afterAll(() => stack?.remove());

// README first: the others go on with what it deployed.
test.each(pages.filter((page) => blocksOf(page, "sh").length > 0))("%s", async (page) => {
  const blocks = blocksOf(page, "sh").map(
    ({ line, code }) =>
      `echo '${page}:${line}' >&2\n${substitutions.reduce((text, [what, by]) => text.replaceAll(what, by), code)}`,
  );
  const result = await run("bash", ["--norc", "-euo", "pipefail", "-c", blocks.join("\n")], {
    cwd: stack.project,
    env: {
      ...stack.env,
      KEY: emulator.apiKey,
      BASE_URL: emulator.baseUrl,
      SERVERLESS_URL: emulator.serverlessUrl,
      GRAPHQL_URL: emulator.graphqlUrl,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      NPM_CONFIG_OFFLINE: "true",
    },
  });
  // The last of the places that stderr names is where it ended.
  expect(result.exitCode === 0 ? "" : result.stdout + result.stderr).toBe("");
});

test("the scripts that the documents name are those of package.json", () => {
  const named = pages.flatMap((page) =>
    blocksOf(page, "sh").flatMap(({ code }) =>
      Array.from(code.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g), ([, name = ""]) => name),
    ),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
