// @long: compiles every block of the documents.
import { join, relative } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { checkout } from "../../tools/run/environment";
import { sources } from "../harness/sources";
import { type Block, blocksOf, pages } from "./pages";

// What readers copy. A block without an import goes on where the block before it ended, as it does for the reader.

/** Programs, each under a name that does not exist, with the lines of the page that they come from. */
function programs(): Map<string, Block> {
  const blocks = new Map<string, Block>();
  for (const page of pages) {
    let before: Block | undefined;
    for (const block of blocksOf(page, "ts", "typescript")) {
      const goesOn = before !== undefined && !/^import /m.test(block.code);
      const program: Block = goesOn && before ? { ...before, code: `${before.code}${block.code}` } : block;
      blocks.set(join(checkout, "tests/docs", `${page.replaceAll(/\W/g, "_")}_${block.line}.ts`), program);
      before = program;
    }
  }
  return blocks;
}

/** What the examples of the client's docstrings may use without declaring it. */
const DECLARED = `
import { createClient, createQueue, isSignedWebhook, readWebhook, signedWebhook } from "pulumi-computecloud/client";
import { tableJournal, tableProgress } from "pulumi-computecloud/postgres";
import { z } from "zod";
declare const pool: import("pg").Pool;
declare const client: ReturnType<typeof createClient>;
declare const queue: ReturnType<typeof createQueue>;
declare const id: string, body: string, n: number, password: string, secret: string, value: string;
declare const inputs: AsyncIterable<{ prompt: string }>;
declare const input: object;
declare const request: import("node:http").IncomingMessage;
declare const response: import("node:http").ServerResponse;
`;

/** The `@example` blocks of the client, each as the body of a function. */
function examples(): Map<string, Block> {
  const blocks = new Map<string, Block>();
  for (const [page, text] of sources("client/**/*.ts")) {
    for (const { index, 1: example = "" } of text.matchAll(/^ *\* @example\n((?: *\* (?!@).*\n| *\*\n)+)/gm)) {
      const line = text.slice(0, index).split("\n").length + 1;
      const body = example.replaceAll(/^ *\* ?/gm, "");
      const head = `${DECLARED.replaceAll("\n", " ")} async function example() {`;
      const code = `${head}\n${body}}\nvoid example;`;
      blocks.set(join(checkout, "tests/docs", `${page.replaceAll(/\W/g, "_")}_${line}.ts`), {
        page,
        line: line - 1,
        code,
      });
    }
  }
  return blocks;
}

/** What the compiler says, by pages and lines. */
function problemsIn(blocks: ReadonlyMap<string, Block>): string[] {
  const { config } = ts.readConfigFile(join(checkout, "tests/tsconfig.json"), ts.sys.readFile);
  const base = ts.readConfigFile(join(checkout, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(
    { ...base, ...config, include: [], files: [] },
    ts.sys,
    join(checkout, "tests"),
  );
  // A reader's block uses less than it declares, and is only a part of a function.
  Object.assign(options, { noUnusedLocals: false, noImplicitReturns: false, noEmit: true });
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => blocks.get(name)?.code ?? readFile(name);
  host.fileExists = (name) => blocks.has(name) || fileExists(name);
  const program = ts.createProgram([...blocks.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const block = file && blocks.get(file.fileName);
    const line = file ? file.getLineAndCharacterOfPosition(start).line : 0;
    const place = block ? `${block.page}:${block.line + line}` : relative(checkout, file?.fileName ?? "");
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

test("every TypeScript block of README and docs compiles", () => {
  expect(problemsIn(programs())).toEqual([]);
});

test("the examples of the client's docstrings compile", () => {
  const blocks = examples();
  expect(blocks.size).toBeGreaterThan(80);
  expect(problemsIn(blocks)).toEqual([]);
});
