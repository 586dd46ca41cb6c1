import { printableLine } from "../../common/printable";
import type { Differing } from "../../provider/lifecycle/definition";
import { code, section } from "../markdown";
import type { Drifted, Orphan } from "./drift";

interface StackDrift {
  readonly stack: string | undefined;
  readonly drifted: readonly Drifted[];
  /** Whether its state has no resources, so that nothing was compared. */
  readonly empty?: true;
}

/** What could not be compared beside others that could. */
export interface Failure {
  /** A stack, or the orphans. */
  readonly of: string;
  readonly message: string;
}

export interface DriftReport {
  readonly stacks: readonly StackDrift[];
  readonly failures: readonly Failure[];
  /** Undefined without `--orphans`. */
  readonly orphans: readonly Orphan[] | undefined;
}

export function isClean({ stacks, failures, orphans = [] }: DriftReport): boolean {
  return failures.length === 0 && orphans.length === 0 && stacks.every(({ drifted }) => drifted.length === 0);
}

/** How untrusted texts are shown: those of the service, the engine and the program. */
interface TextFormat {
  text(text: string): string;
  name(text: string): string;
}

const plain: TextFormat = { text: printableLine, name: (text) => `"${printableLine(text)}"` };
const inMarkdown: TextFormat = { text: code, name: code };

export function asText(report: DriftReport): string {
  return sections(report, plain)
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join("\n"))
    .join("\n\n");
}

export function asMarkdown(report: DriftReport): string {
  return sections(report, inMarkdown)
    .map(({ title, lines }) => section(title, lines))
    .join("\n\n");
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

function sections({ stacks, failures, orphans }: DriftReport, format: TextFormat): Section[] {
  return [
    ...stacks.map(({ stack, drifted, empty }) => ({
      title: `${stack === undefined ? "The stack" : `Stack ${format.text(stack)}`}: ${empty ? "nothing is deployed" : drifted.length === 0 ? "no drift" : `${drifted.length} drifted`}`,
      lines: drifted.flatMap((each) => linesOf(each, format)),
    })),
    ...failures.map(({ of, message }) => ({
      title: `Not compared: ${format.text(of)}`,
      lines: [format.text(message)],
    })),
    ...(orphans === undefined
      ? []
      : [
          {
            title:
              orphans.length === 0
                ? "No orphans"
                : `${orphans.length} auto-named ${orphans.length === 1 ? "resource is" : "resources are"} in no state of this project in this backend`,
            lines: orphans.map(({ kind, id, name }) => `${kind} ${format.text(id)} ${format.name(name)}`),
          },
        ]),
  ];
}

function linesOf({ kind, name, id, gone, differences }: Drifted, format: TextFormat): string[] {
  const who = `${kind} ${format.name(name)} (${format.text(id)})`;
  return gone ? [`${who} is gone`] : differences.map((each) => `${who}: ${differenceOf(each, format)}`);
}

function differenceOf({ path, recorded, found, secret, note }: Differing, format: TextFormat): string {
  if (note !== undefined) return secret ? `${format.text(path)} ${note}` : `${format.text(path)}: ${format.text(note)}`;
  if (secret) return `${format.text(path)} differs (secret)`;
  const value = (of: unknown) => (of === undefined ? "not there" : format.text(JSON.stringify(of)));
  return `${format.text(path)} is ${value(found)}, declared ${value(recorded)}`;
}
