import { styleText } from "node:util";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { printable, printableJson, printableLine } from "../common/printable";
import { redactIn } from "../common/redact";

/**
 * The exit codes of every command. `failed`: it ran, and what it checks is not as it should be. `couldNotRun`: wrong options, no
 * key, no engine, no answer.
 */
export const exitCodes = { done: 0, failed: 1, couldNotRun: 2 } as const;

/** Rises when a field of a command's JSON document changes its meaning, or goes. */
const SCHEMA_VERSION = 1;

/** Prints a text for people. Control characters from the service are escaped. */
export function print(text: string): void {
  process.stdout.write(`${printable(safe(text))}\n`);
}

/** Prints a command's document for programs, with the version of its form. */
export function printJson(document: object): void {
  printValue({ schemaVersion: SCHEMA_VERSION, ...document });
}

/** Prints a program, as it would stand in a file. */
export function printSource(text: string): void {
  process.stdout.write(safe(text));
}

/** Prints a value of the user's own, such as a converted body, as JSON of the same values. */
export function printValue(value: unknown): void {
  process.stdout.write(`${printableJson(safe(value), 2)}\n`);
}

/** Says something about the run, on stderr: one line for people, with what the service wrote escaped. */
export function tell(line: string): void {
  process.stderr.write(`${lineOf(line)}\n`);
}

/** The same with several lines, such as an error. */
export function report(text: string): void {
  process.stderr.write(`${printable(safe(text))}\n`);
}

/** A text of one line as `tell` writes it. */
const lineOf = (text: string): string => printableLine(safe(text));

/** All that a command shows or writes passes here: the door at which secrets stay behind. */
export function safe<T>(content: T): T {
  // mutant output-in-clear: content
  return redactIn(content);
}

/**
 * Ends the program when its output can't be written, as on a full disk, because the exit code of success would say that it has
 * done its work. A reader that leaves early, as `head` does, is not a failure.
 */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EPIPE") return;
      if (stream === process.stdout) tell(`The output can't be written (${code}). Check the disk that it goes to.`);
      process.exit(exitCodes.couldNotRun);
    });
  }
}

/** The option that most commands share. */
export const jsonOption = ["--json", "print one JSON document, for programs"] as const;

export interface Explanation {
  /** Without the program's name. */
  readonly examples: readonly string[];
  /** When the command ends with exit code 1. Default: never. */
  readonly fails?: string;
  /** Whether it calls the service. */
  readonly connects: boolean;
}

const environment: readonly string[] = [
  "COMPUTECLOUD_API_KEY  the key",
  "COMPUTECLOUD_CLOUD    whose addresses to use, such as runpod; or each by itself:",
  "COMPUTECLOUD_BASE_URL, COMPUTECLOUD_SERVERLESS_URL, COMPUTECLOUD_GRAPHQL_URL",
];

/** Adds examples, exit codes and environment variables to a command's help. */
export function explain(command: CommandUnknownOpts, { examples, fails, connects }: Explanation): void {
  const codes = ["0  done", ...(fails === undefined ? [] : [`1  ${fails}`]), "2  could not run"];
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Examples:", examples.map((example) => `npx pulumi-computecloud ${example}`)],
    ["Exit codes:", codes],
    ...(connects ? [["Environment:", environment] as const] : []),
  ];
  for (const [heading, lines] of sections) {
    command.addHelpText("after", `\n${title(heading)}\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
}

/** Commander removes the colours where the output does not support them. */
export const title = (text: string): string => styleText("bold", text, { validateStream: false });

export const term = (text: string): string => styleText("cyan", text, { validateStream: false });

/** The current progress, on stderr: one changing line on a terminal, elsewhere a line for each change. */
export class Progress {
  readonly #stream = process.stderr;
  #last = "";

  constructor(private readonly quiet: boolean) {}

  /** @param stage without a terminal, a line is written only when the stage changes */
  show(stage: string, detail: string): void {
    const line = lineOf(`${stage} ${detail}`);
    if (this.#stream.isTTY) this.#stream.write(`\r\x1b[K${line}`);
    else if (!this.quiet && stage !== this.#last) this.#stream.write(`${lineOf(stage)}\n`);
    this.#last = stage;
  }

  end(): void {
    if (this.#stream.isTTY && this.#last !== "") this.#stream.write("\r\x1b[K");
  }
}
