import type { Differing, Drifted, Orphan } from "./drift";

/** What was found of one stack. */
export interface StackDrift {
  readonly stack: string | undefined;
  readonly drifted: readonly Drifted[];
}

export interface DriftReport {
  readonly stacks: readonly StackDrift[];
  /** Undefined where nobody asked. */
  readonly orphans: readonly Orphan[] | undefined;
}

export function isClean({ stacks, orphans = [] }: DriftReport): boolean {
  return orphans.length === 0 && stacks.every(({ drifted }) => drifted.length === 0);
}

export function asText(report: DriftReport): string {
  return sections(report)
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join("\n"))
    .join("\n\n");
}

/** For an issue, or a comment on a pull request. */
export function asMarkdown(report: DriftReport): string {
  return sections(report)
    .map(({ title, lines }) => [`### ${title}`, ...(lines.length === 0 ? [] : ["", ...lines.map(item)])].join("\n"))
    .join("\n\n");
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

function sections({ stacks, orphans }: DriftReport): Section[] {
  return [
    ...stacks.map(({ stack, drifted }) => ({
      title: `${stack === undefined ? "The stack" : `Stack ${stack}`}: ${drifted.length === 0 ? "no drift" : `${drifted.length} drifted`}`,
      lines: drifted.flatMap(linesOf),
    })),
    ...(orphans === undefined
      ? []
      : [
          {
            title:
              orphans.length === 0 ? "No orphans" : `${orphans.length} in no given state, named as by this package`,
            lines: orphans.map(({ kind, id, name }) => `${kind} ${id} "${name}"`),
          },
        ]),
  ];
}

function linesOf({ kind, name, id, gone, differences }: Drifted): string[] {
  const who = `${kind} "${name}" (${id})`;
  return gone ? [`${who} is gone`] : differences.map((each) => `${who}: ${differenceOf(each)}`);
}

function differenceOf({ path, recorded, found, secret, note }: Differing): string {
  if (note !== undefined) return secret ? `${path} ${note}` : `${path}: ${note}`;
  return secret ? `${path} differs (secret)` : `${path} is ${shown(found)}, declared ${shown(recorded)}`;
}

function shown(value: unknown): string {
  return value === undefined ? "not there" : JSON.stringify(value);
}

function item(line: string): string {
  return `- ${line.replaceAll(/[<>`*_|]/g, (character) => `\\${character}`)}`;
}
