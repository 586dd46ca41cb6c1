/** A text table with aligned columns. Those whose index is in `numbers` are right-aligned. */
export function textTable(
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
  indent = "  ",
): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const set = (cell: string, column: number) =>
    numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `${indent}${row.map(set).join("  ")}`.trimEnd()).join("\n");
}
