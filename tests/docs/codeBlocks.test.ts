// @long: compiles every block of the documents.
import { join, relative } from "node:path";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { checkout } from "../harness/checkout";
import { type Block, blocksOf, pages } from "./pages";

// What readers copy. A block without an import goes on where the block before it ended, as it does for the reader.

/** Programs, each under a name that does not exist, with the lines of the page that they come from. */
function programs(): Map<string, Block> {
  const found = new Map<string, Block>();
  for (const page of pages) {
    let before: Block | undefined;
    for (const block of blocksOf(page, "ts", "typescript")) {
      const goesOn = before !== undefined && !/^import /m.test(block.code);
      const program: Block = goesOn && before ? { ...before, code: `${before.code}${block.code}` } : block;
      found.set(join(checkout, "tests/docs", `${page.replaceAll(/\W/g, "_")}_${block.line}.ts`), program);
      before = program;
    }
  }
  return found;
}

describe("every TypeScript block of README and docs", () => {
  const blocks = programs();

  test("compiles", () => {
    const { config } = ts.readConfigFile(join(checkout, "tests/tsconfig.json"), ts.sys.readFile);
    const base = ts.readConfigFile(join(checkout, "tsconfig.json"), ts.sys.readFile).config;
    const { options } = ts.parseJsonConfigFileContent(
      { ...base, ...config, include: [], files: [] },
      ts.sys,
      join(checkout, "tests"),
    );
    // A reader's block uses less than it declares.
    const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
    const { readFile, fileExists } = host;
    host.readFile = (name) => blocks.get(name)?.code ?? readFile(name);
    host.fileExists = (name) => blocks.has(name) || fileExists(name);
    const program = ts.createProgram([...blocks.keys()], { ...options, noUnusedLocals: false, noEmit: true }, host);
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const block = file && blocks.get(file.fileName);
      const line = file ? file.getLineAndCharacterOfPosition(start).line : 0;
      const place = block ? `${block.page}:${block.line + line}` : relative(checkout, file?.fileName ?? "");
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    expect(problems).toEqual([]);
  });
});
