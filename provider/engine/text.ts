import { AsyncLocalStorage } from "node:async_hooks";
import { printable } from "../client/text/printable";
import { redact } from "../client/text/redact";

const secretsAtHand = new AsyncLocalStorage<() => readonly string[]>();

/**
 * Runs an operation of which no message quotes a secret of the resource. The client knows the secrets of the call that
 * failed, but a service may quote what an earlier call has sent.
 *
 * @param secrets asked for with each message: few operations have one
 */
export function hiding<T>(secrets: () => readonly string[], operation: () => T): T {
  return secretsAtHand.run(secrets, operation);
}

/**
 * A text for the engine, which prints it on a terminal and takes `<{%red%}>` for a colour. What the operation under way has
 * to hide is hidden.
 */
export function engineText(text: string): string {
  return printable(redact(text, secretsAtHand.getStore()?.() ?? [])).replaceAll("<{%", "<{ %");
}
