/** One step of a run, for its closing table. */
export interface Row {
  step: string;
  /** In words. */
  resources: string;
  seconds: number;
  apiCalls: number;
}

/** A table in plain text, numbers to the right. */
export function table(rows: readonly Row[]): string {
  const lines = [
    ["step", "resources", "seconds", "API calls"],
    ...rows.map(({ step, resources, seconds, apiCalls }) => [step, resources, seconds.toFixed(1), String(apiCalls)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("   "),
    )
    .join("\n");
}
