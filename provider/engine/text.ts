import { AsyncLocalStorage } from "node:async_hooks";
import { printable } from "../client/text/printable";
import { redact } from "../client/text/redact";

const secretsAtHand = new AsyncLocalStorage<() => readonly string[]>();

/**
 * Runs an operation whose messages must not quote a secret of the resource. The client redacts the secrets of the call
 * that failed. But a service may quote what an earlier call has sent.
 *
 * @param secrets collects them when there is a message: few operations have one
 */
export function hiding<T>(secrets: () => readonly string[], operation: () => T): T {
  return secretsAtHand.run(secrets, operation);
}

/**
 * A text for the engine, which prints it on a terminal and interprets `<{%red%}>` as a colour. The secrets of the current
 * operation are redacted. Not redacted: values shorter than 4 characters, parts of a secret, and encodings that `redact`
 * does not know.
 */
export function engineText(text: string): string {
  return printable(redact(text, secretsAtHand.getStore()?.() ?? [])).replaceAll("<{%", "<{ %");
}
