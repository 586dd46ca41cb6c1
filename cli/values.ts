/* Parsers of option values. */

import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { milliseconds } from "../common/duration";
import { duration } from "../provider/lifecycle/fields/fields";

export function wholeNumber(option: string, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
    const range = most === Number.MAX_SAFE_INTEGER ? "" : ` from 0 to ${most}`;
    throw new Error(`${option} takes a whole number${range}, not "${text}"`);
  };
}

/** @returns a reader of durations, in milliseconds */
export function time(option: string): (text: string) => number {
  return (text) => {
    if (duration.safeParse(text).success) return milliseconds(text);
    throw new Error(`${option} takes a duration such as 90s, 3m or 1h, not "${text}"`);
  };
}

/** An option that takes a duration. @param initially its default */
export function timeOption<Flags extends string>(
  command: CommandUnknownOpts,
  flags: Flags,
  text: string,
  initially: string,
) {
  const [name = ""] = flags.split(" ");
  return command.createOption(flags, text).argParser(time(name)).default(milliseconds(initially), initially);
}

/** @returns a reader of sums of money */
export function amount(option: string): (text: string) => number {
  return (text) => {
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
    throw new Error(`${option} takes a sum in USD such as 500 or 99.50, not "${text}"`);
  };
}

export const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
