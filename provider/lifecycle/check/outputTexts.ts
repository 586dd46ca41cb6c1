import type { CheckFailure } from "../definition";

/** What an output becomes in a text, by the SDK that wrote it, and what to write instead. */
const TEXTS: readonly (readonly [written: RegExp, wayOut: string])[] = [
  [
    /Calling \[to(String|JSON)\] on an \[Output<T>\]/,
    "use pulumi.interpolate`…` with the output in it, or output.apply(…)",
  ],
  [/Calling _{2}str_{2} on an Output\[T\]/, 'use pulumi.Output.format("…{0}…", output), or output.apply(…)'],
  [/\{(%!\w\(\*internal\.OutputState=)?0xc[\da-f]{6,}\)?\}/, 'use pulumi.Sprintf("…%v…", output), or ApplyT'],
];

/** Refuses arguments, at any depth, that hold the text of an output in place of its value. No valid argument does. */
export function outputTexts(value: unknown, path: readonly string[] = []): CheckFailure[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => outputTexts(member, [...path, key]));
  if (typeof value !== "string") return [];
  // mutant output-as-text: undefined
  const text = TEXTS.find(([written]) => written.test(value));
  if (text === undefined) return [];
  return [{ property: path.join("."), reason: `holds an output as text, which has no value there: ${text[1]}` }];
}
