import * as ts from "typescript";
import { sources } from "../harness/sources";

/** What users run. */
const all = sources("{cli,client,common,provider,sdk}/**/*.ts");

export interface Message {
  readonly file: string;
  /** With `…` for what is filled in. */
  readonly text: string;
}

/**
 * The messages of all errors that the provider, its command line and the classes make. The client's errors are listed by
 * their classes, and a TypeError's message is for maintainers.
 */
export function messages(): readonly Message[] {
  const ours = all.filter(([file]) => !/^(client|common)\//.test(file));
  return ours.flatMap(([file, source]) => textsIn(file, source).map((text) => ({ file, text })));
}

function textsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isError(node)) {
      const text = (node.arguments ?? []).map(textOf).find((each) => /\p{L}{2}.* .*\p{L}{2}/su.test(each));
      if (text !== undefined) texts.push(text.replaceAll(/\s+/g, " "));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** `new SomeError(…)`, and what a class of errors gives to its base. */
function isError(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  if (ts.isNewExpression(node)) return /(?<!Type)Error$/.test(node.expression.getText());
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return textOf(node.left) + textOf(node.right);
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  return "…";
}

/** All sources of the package, texts over several lines put together. */
export function sourceText(): string {
  const texts = all.map(([, text]) => text);
  return texts.join("\n").replaceAll(/["`]\s*\+\s*["`]|\\\n/g, "");
}
