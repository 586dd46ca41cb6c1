import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { commands, wordsOf } from "../../cli/commands";
import { getOrCreate } from "../../common/getOrCreate";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { documentOf, MAIN } from "../harness/commandLine";
import { serviceThat } from "./hostileService";

const { FORCE_COLOR: _, ...plainEnv } = process.env;
const computecloud = (args: readonly string[], env: NodeJS.ProcessEnv = plainEnv) =>
  run(process.execPath, [MAIN, ...args], { env });

const helps = new Map<string, ReturnType<typeof computecloud>>();
/** The help of a command, which is asked for once. */
const helpOf = (words: readonly string[]) =>
  getOrCreate(helps, words.join(" "), () => computecloud([...words, "--help"]));

describe("the help", () => {
  let all: string;
  beforeAll(async () => {
    all = (await computecloud(["--help"])).stdout;
  });

  test("names every command once, with its arguments and what it does", () => {
    const listed = all
      .slice(all.indexOf("Commands:"))
      .match(/^ {2}\S.*? {2,}/gm)
      ?.map((term) => term.trim());
    const others = ["version", "completion <shell>", "help [command]"];
    expect(listed).toEqual([...commands.map(({ usage }) => usage), ...others]);
  });

  test.each(commands)("of $usage has its arguments, examples and exit codes", async ({ usage, ...entry }) => {
    const words = wordsOf({ usage, ...entry });
    const { stdout, stderr, exitCode } = await helpOf(words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const rest = usage.slice(words.join(" ").length);
    expect(stdout.split("\n")[0]).toBe(`Usage: pulumi-computecloud ${words.join(" ")} [options]${rest}`);
    expect(stdout).toMatch(new RegExp(`\nExamples:\n  npx pulumi-computecloud ${words.join(" ")}`));
    expect(stdout).toMatch(/\nExit codes:\n {2}0 {2}/);
    // Every example is of this command, to the end of its line.
    const examples = stdout.split("\n").filter((line) => line.includes("npx "));
    expect(examples.filter((line) => !line.startsWith(`  npx pulumi-computecloud ${words.join(" ")}`))).toEqual([]);
  });

  test("has colours only where they are wanted", async () => {
    const ESCAPE = "\u001b[";
    expect(all).not.toContain(ESCAPE);
    const coloured = await computecloud(["smoke", "--help"], { ...plainEnv, FORCE_COLOR: "1" });
    expect(coloured.stdout).toContain(`${ESCAPE}1mExamples:`);
    expect(coloured.stdout).toContain(`${ESCAPE}1mUsage:`);
    const unwanted = await computecloud(["smoke", "--help"], { ...plainEnv, FORCE_COLOR: "1", NO_COLOR: "1" });
    expect(unwanted.stdout).not.toContain(ESCAPE);
  });
});

describe("--json", () => {
  const page = readFileSync(join(checkout, "docs/command-line.md"), "utf8");
  const [, documented = ""] = /\n## JSON and exit codes\n([\s\S]*?)\n## /.exec(page) ?? [];

  test.each(commands)("of $usage is described, also for a failure", async (entry) => {
    const words = wordsOf(entry);
    const { stdout: help } = await helpOf(words);
    const isDescribed = documented.includes(`| \`${words.join(" ")}\` |`);
    expect(isDescribed).toBe(help.includes("  --json "));
    if (!isDescribed) return;
    const refused = await computecloud([...words, "--bogus", "--json"]);
    const { schemaVersion, error } = documentOf(refused, 2);
    expect({ schemaVersion, name: error.name }).toEqual({ schemaVersion: 1, name: "CommanderError" });
    expect(refused.stderr).toContain(error.message);
  });

  test("of a failure of the service has its status", async () => {
    await using service = await serviceThat((_, response) => response.writeHead(401).end());
    const { stdout } = await computecloud(["health", "e", "--json"], service.environment);
    expect(JSON.parse(stdout)).toMatchObject({ error: { name: "AuthenticationError", httpStatus: 401 } });
  });
});

test.each([
  [["smok"], "smoke"],
  [["plugin", "instal"], "install"],
  [["health", "x", "--jsn"], "--json"],
])("%j is answered with the nearest: %s", async (args, nearest) => {
  const { stderr, stdout, exitCode } = await computecloud(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^pulumi-computecloud: unknown /);
  expect(stderr).toContain(`Did you mean ${nearest}?`);
});

describe("completion", () => {
  const completions = async (...words: string[]) =>
    (await computecloud(["complete", "--", ...words])).stdout.split("\n").map((line) => line.split("\t")[0]);

  test("completes commands, and the options of the one that stands there", async () => {
    expect(await completions("he")).toEqual(expect.arrayContaining(["health", "help"]));
    expect(await completions("plugin", "")).toContain("install");
    expect(await completions("logs", "--f")).toContain("--follow");
    expect(await completions("migrate", "--kind", "Po")).toContain("Pod");
  });

  test("is a script that bash takes", async () => {
    const script = `source <("${process.execPath}" "${MAIN}" completion bash) && complete -p pulumi-computecloud`;
    const { stdout, stderr } = await run("bash", ["-c", script], { env: plainEnv });
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining("pulumi-computecloud"), stderr: "" });
  });
});
