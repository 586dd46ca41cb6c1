import { styleText } from "node:util";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";

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
