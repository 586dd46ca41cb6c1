import { printable } from "../client/printable";

/** A text for the engine, which prints it on a terminal and takes `<{%red%}>` for a colour. */
export function engineText(text: string): string {
  return printable(text).replaceAll("<{%", "<{ %");
}
