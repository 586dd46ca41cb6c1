import { printableLine } from "../client/text/printable";

/**
 * A text that is not ours, in Markdown of GitHub or GitLab: a code span, in which neither knows links, images, HTML, mentions,
 * references to issues or quick actions. Escapes would not do, nor a library that writes Markdown: mentions and references
 * are looked for in the text that is left when all escapes are undone.
 */
export function code(text: string): string {
  const line = printableLine(text);
  const runs = Array.from(line.matchAll(/`+/g), ([run]) => run.length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  // One space at either end is no part of the span.
  const padding = line === "" || /^`|`$|^ .*[^ ].* $/.test(line) ? " " : "";
  return fence + padding + line + (line === "" ? "" : padding) + fence;
}

/** Markdown within a table's row, which is split before anything else is looked at. */
export function cell(markdown: string): string {
  return markdown.replace(/(\\*)\|/g, "$1$1\\|");
}

/** The lines of a table whose first row is its head; columns of numbers, by their place, are set to the right. */
export function markdownTable(rows: readonly (readonly string[])[], numbers: readonly number[] = []): string[] {
  const [head = "", ...lines] = rows.map((row) => `| ${row.map(cell).join(" | ")} |`);
  const rule = (rows[0] ?? []).map((_, column) => (numbers.includes(column) ? "---:" : "---"));
  return [head, `|${rule.join("|")}|`, ...lines];
}
