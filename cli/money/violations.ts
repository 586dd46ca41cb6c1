import { readFile } from "node:fs/promises";
import { parseJson } from "../../common/json";
import { printableLine } from "../../common/printable";
import { nameOfUrn } from "../../common/urn";
import { z } from "../../common/zod";
import { code, type Escape, section } from "../markdown";

/** A rule of a policy pack that a preview breaks. */
export interface Violation {
  readonly policy: string;
  /** `mandatory` fails the preview, `advisory` does not. */
  readonly level: string;
  /** The resource's logical name; undefined for a rule of the whole stack. */
  readonly resource: string | undefined;
  readonly message: string;
}

const event = z.object({
  policyEvent: z.object({
    resourceUrn: z.string().default(""),
    message: z.string().default(""),
    policyName: z.string().default(""),
    policyPackName: z.string().default(""),
    enforcementLevel: z.string().default(""),
  }),
});

/** The engine's marks of colours. */
const COLOURS = /<\{%[^%]*%\}>/g;

/**
 * The violations in a preview's event log, for the document of `pulumi preview --json` has none. A preview that did not begin
 * has written no log.
 */
export async function violationsIn(file: string): Promise<readonly Violation[]> {
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
  return lines.flatMap((line): Violation[] => {
    const { data } = event.safeParse(parseJson(line));
    if (data === undefined) return [];
    const { resourceUrn: urn, message, policyName, policyPackName, enforcementLevel: level } = data.policyEvent;
    const isOfStack = urn === "" || urn.includes("::pulumi:pulumi:Stack::");
    const resource = isOfStack ? undefined : nameOfUrn(urn);
    // The rule's description, and below it what is wrong.
    const lines = message
      .replaceAll(COLOURS, "")
      .trim()
      .split(/\s*\n\s*/);
    return [{ policy: `${policyPackName}/${policyName}`, level, resource, message: lines.join(" ") }];
  });
}

/** Which rule, which resource, which value. */
export function violationLine(
  { policy, level, resource, message }: Violation,
  escapeText: Escape = printableLine,
): string {
  const of = resource === undefined ? "" : ` ${escapeText(resource)}`;
  return `${level === "mandatory" ? "refused" : "advice"} by ${escapeText(policy)}:${of} ${escapeText(message)}`;
}

export function sectionsOf(violations: readonly Violation[]): string[] {
  const lines = violations.map((each) => violationLine(each, code));
  return lines.length === 0 ? [] : [section("Policies", lines)];
}

export function sectionOfErrors(errors: readonly string[]): string {
  const lines = errors.flatMap((error) => error.split("\n")).filter((line) => line.trim() !== "");
  return section("The preview failed", lines.map(code));
}
