import ts from "typescript";
import { sources } from "../harness/sources";
import type { Edit } from "./copy";
import { testsIn } from "./testNames";

/*
 * The guards of money, data, secrets and accounts. A comment in the sources names a guard, and says what its mutant makes of
 * the statement or expression that follows; a comment above a test names the mutants which that test finds:
 *
 *   // mutant any-2xx-deletes: true          (before a condition, or a statement with one: it always holds)
 *   // mutant no-note: gone                  (before a statement: it is left out)
 *   // mutant no-redaction: text             (before a value or `return`: another value)
 *   // mutant note-ignored: return false;    (before a statement: another one)
 *
 *   // finds mutants any-2xx-deletes, no-note
 *   test("…")
 */

export interface Guard {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The files and the patterns of the names of the tests that fail without the guard. */
  readonly tests: readonly (readonly [file: string, pattern: string])[];
}

const SOURCES = "{cli,client,common,emulator,provider,sdk}/**/*.ts";
const MUTANT = /\/\/ mutant ([\w-]+): (.+)/g;
const FINDS = /\/\/ finds mutants? (.+)/g;

/** All guards, by the alphabet. */
export function guards(): Guard[] {
  const edits = sources(SOURCES).flatMap(([file, text]) => mutantsIn(file, text));
  const tests = sources("tests/**/*.test.ts").flatMap(([file, text]) =>
    testsIn(text).flatMap(({ pattern, comments }) =>
      [...comments.matchAll(FINDS)].flatMap(([, names = ""]) =>
        names.split(", ").map((name) => ({ name, test: [file, pattern] as const })),
      ),
    ),
  );
  return [...new Set([...edits, ...tests].map(({ name }) => name))]
    .sort()
    .map((name) => ({
      name,
      edits: edits.flatMap((each) => (each.name === name ? [each.edit] : [])),
      tests: tests.flatMap((each) => (each.name === name ? [each.test] : [])),
    }));
}

/** The mutants that the comments of a source name. @throws Error where a comment stands before nothing that it can change */
export function mutantsIn(file: string, text: string): { readonly name: string; readonly edit: Edit }[] {
  const comments = [...text.matchAll(MUTANT)];
  if (comments.length === 0) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return comments.map(({ 1: name = "", 2: to = "", index }) => {
    const node = following(source, index);
    if (node === undefined) throw new Error(`${file}: nothing follows the comment of the mutant ${name}.`);
    const [start, end] = to === "gone" ? whole(node, text) : rangeOf(placeIn(node, to));
    return { name, edit: { file, start, end, to: to === "gone" ? "" : to } };
  });
}

/** The outermost node that begins after a comment. */
function following(node: ts.Node, comment: number): ts.Node | undefined {
  if (node.pos > comment || node.end <= comment) return undefined;
  if (node.getStart() > comment && !ts.isSourceFile(node)) return node;
  return ts.forEachChild(node, (child) => following(child, comment));
}

/** What a replacement takes the place of: a statement for a statement, a condition for what is true or false, else a value. */
function placeIn(node: ts.Node, to: string): ts.Node {
  if (/^(return|throw|if|continue)\b/.test(to)) return node;
  const value = valueIn(node);
  return ts.isConditionalExpression(value) && /^(true|false)$/.test(to) ? value.condition : value;
}

function valueIn(node: ts.Node): ts.Node {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.initializer ?? node;
  if (ts.isPropertyAssignment(node)) return node.initializer;
  if (ts.isIfStatement(node) || ts.isReturnStatement(node) || ts.isThrowStatement(node)) return node.expression ?? node;
  return node;
}

const rangeOf = (node: ts.Node): [start: number, end: number] => [node.getStart(), node.end];

/** With the comma after a member of an object. */
function whole(node: ts.Node, text: string): [start: number, end: number] {
  return [node.getStart(), text[node.end] === "," ? node.end + 1 : node.end];
}
