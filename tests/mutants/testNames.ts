import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { checkout } from "../../tools/run/checkout";

/** What stands in a title for a value of a table. */
const PLACEHOLDER = /%[a-zA-Z#]|\$[a-zA-Z#][\w.]*/;
const ANYTHING = "([^]*)";

/**
 * The full names of a file's tests. The file is read, not run: where a title shows a value of a table, the words of that
 * value have to stand in the file.
 */
export class TestNames {
  readonly #patterns: readonly RegExp[];

  constructor(private readonly source: string) {
    const file = ts.createSourceFile("test.ts", source, ts.ScriptTarget.Latest);
    this.#patterns = titlesIn(file).map((titles) => new RegExp(`^${titles.join(" ")}$`));
  }

  has(fullName: string): boolean {
    const stand = (value: string) => (value.match(/\w+/g) ?? []).every((word) => this.source.includes(word));
    return this.#patterns.some((pattern) => pattern.exec(fullName)?.slice(1).every(stand) === true);
  }
}

const known = new Map<string, TestNames>();

/** @param file from the checkout's root */
export function testNamesOf(file: string): TestNames {
  const names = known.get(file) ?? new TestNames(readFileSync(join(checkout, file), "utf8"));
  known.set(file, names);
  return names;
}

/** The titles that lead to each test, as patterns. */
function titlesIn(node: ts.Node): string[][] {
  const inner: string[][] = [];
  ts.forEachChild(node, (child) => void inner.push(...titlesIn(child)));
  const group = ts.isCallExpression(node) ? groupOf(node.expression) : undefined;
  if (group === undefined || !ts.isCallExpression(node)) return inner;
  const [title, body] = node.arguments;
  if (title === undefined || body === undefined) return inner;
  const pattern = patternOf(title);
  return group === "describe" ? inner.map((titles) => [pattern, ...titles]) : [[pattern]];
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

function literal(text: string): string {
  return text.split(PLACEHOLDER).map(escaped).join(ANYTHING);
}

/** A text as a regular expression that matches it alone. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
