import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { getOrCreate } from "../../common/getOrCreate";
import { checkout } from "../../tools/run/environment";

/** What stands in a title for a value of a table. */
const PLACEHOLDER = /%[a-zA-Z#]|\$[a-zA-Z#][\w.]*/;
const ANYTHING = "([^]*)";

/** A test as its file declares it; with a table, its rows together. */
export interface DeclaredTest {
  /** Matches its full names. */
  readonly pattern: string;
  readonly comments: string;
}

/** The tests of a file, which is read, not run. */
export function testsIn(source: string): DeclaredTest[] {
  const file = ts.createSourceFile("test.ts", source, ts.ScriptTarget.Latest);
  return declaredIn(file, source).map(({ titles, comments }) => ({ pattern: `^${titles.join(" ")}$`, comments }));
}

/** The full names of a file's tests. Where a title shows a value of a table, that value's words have to stand in the file. */
export class TestNames {
  readonly #patterns: readonly RegExp[];

  constructor(private readonly source: string) {
    this.#patterns = testsIn(source).map(({ pattern }) => new RegExp(pattern));
  }

  has(fullName: string): boolean {
    const stand = (value: string) => (value.match(/\w+/g) ?? []).every((word) => this.source.includes(word));
    return this.#patterns.some((pattern) => pattern.exec(fullName)?.slice(1).every(stand) === true);
  }
}

const namesByFile = new Map<string, TestNames>();

/** @param file from the checkout's root */
export const testNamesOf = (file: string): TestNames =>
  getOrCreate(namesByFile, file, () => new TestNames(readFileSync(join(checkout, file), "utf8")));

interface Titled {
  /** The titles that lead to the test, as patterns. */
  readonly titles: readonly string[];
  readonly comments: string;
}

function declaredIn(node: ts.Node, source: string): Titled[] {
  const inner: Titled[] = [];
  ts.forEachChild(node, (child) => void inner.push(...declaredIn(child, source)));
  const group = ts.isCallExpression(node) ? groupOf(node.expression) : undefined;
  if (group === undefined || !ts.isCallExpression(node)) return inner;
  const [title, body] = node.arguments;
  if (title === undefined || body === undefined) return inner;
  const pattern = patternOf(title);
  if (group === "describe") return inner.map(({ titles, comments }) => ({ titles: [pattern, ...titles], comments }));
  const comments = ts.getLeadingCommentRanges(source, node.pos) ?? [];
  return [{ titles: [pattern], comments: comments.map(({ pos, end }) => source.slice(pos, end)).join("\n") }];
}

/** `describe`, `test` or `it`, by themselves or with a table. */
function groupOf(callee: ts.Expression): "describe" | "test" | undefined {
  const table = ts.isCallExpression(callee) ? callee.expression : undefined;
  const isEach = table !== undefined && ts.isPropertyAccessExpression(table) && table.name.text === "each";
  const name = isEach ? table.expression : callee;
  if (!ts.isIdentifier(name)) return undefined;
  if (name.text.startsWith("describe")) return "describe";
  // A table belongs to tests, whatever they are called: some have a name that says where they run.
  return isEach || name.text === "test" || name.text === "it" ? "test" : undefined;
}

function patternOf(title: ts.Expression): string {
  if (ts.isStringLiteralLike(title)) return literal(title.text);
  if (!ts.isTemplateExpression(title)) return ANYTHING;
  return literal(title.head.text) + title.templateSpans.map((span) => ANYTHING + literal(span.literal.text)).join("");
}

const literal = (text: string): string => text.split(PLACEHOLDER).map(escaped).join(ANYTHING);

/** A text as a regular expression that matches it alone. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
