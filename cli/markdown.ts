import { printableLine } from "../common/printable";

/** How untrusted texts are shown: as Markdown, or in one line of text. */
export type Escape = (text: string) => string;

/**
 * An untrusted text in Markdown for GitHub or GitLab. In a code span neither of them interprets links, images, HTML, mentions,
 * issue references or quick actions. Escaping is not enough, and neither is a Markdown library: mentions and references are
 * searched for after escapes are resolved.
 */
export function code(text: string): string {
  const line = printableLine(text);
  const runs = Array.from(line.matchAll(/`+/g), ([run]) => run.length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  // Markdown strips one space from either end of a code span.
  const padding = line === "" || /^`|`$|^ .*[^ ].* $/.test(line) ? " " : "";
  return fence + padding + line + (line === "" ? "" : padding) + fence;
}

/** A section of a comment: a title, and a list of what is to be said. */
export function section(title: string, lines: readonly string[]): string {
  return [`### ${title}`, ...(lines.length === 0 ? [] : ["", ...lines.map((line) => `- ${line}`)])].join("\n");
}

/** Escapes Markdown for a table cell: rows are split at `|` before anything else is parsed, even inside code spans. */
export const cell = (markdown: string): string => markdown.replace(/(\\*)\|/g, "$1$1\\|");

/** The lines of a table; its first row is the head. Columns whose index is in `numbers` are right-aligned. */
export function markdownTable(rows: readonly (readonly string[])[], numbers: readonly number[] = []): string[] {
  const [head = "", ...lines] = rows.map((row) => `| ${row.map(cell).join(" | ")} |`);
  const rule = (rows[0] ?? []).map((_, column) => (numbers.includes(column) ? "---:" : "---"));
  return [head, `|${rule.join("|")}|`, ...lines];
}
