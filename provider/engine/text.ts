import { AsyncLocalStorage } from "node:async_hooks";
import type * as Messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { printable } from "../../common/printable";
import { hideDuring, redact } from "../../common/redact";
import type { CheckFailure } from "../lifecycle/definition";

const running = new AsyncLocalStorage<{ readonly urn: string | undefined }>();

/**
 * Runs an operation whose messages must not quote a secret of the resource, nor may those of any other meanwhile: a service
 * may quote what an earlier call has sent.
 *
 * @param secrets collects them when there is a message: few operations have one
 * @param urn the resource's, if it is known: its row shows what the operation does
 */
export async function hiding<T>(
  secrets: () => readonly string[],
  operation: () => Promise<T>,
  urn?: string,
): Promise<T> {
  const over = hideDuring(secrets);
  try {
    return await running.run({ urn }, operation);
  } finally {
    over();
  }
}

/** The URN of the resource that the current operation is about. */
export const currentUrn = (): string | undefined => running.getStore()?.urn;

/**
 * A text for the engine, which prints it on a terminal and interprets `<{%red%}>` as a colour: the one door of both hosts for
 * errors, reasons, statuses and logs.
 */
export function engineText(text: string): string {
  // mutant engine-texts-in-clear: printable(text)
  return printable(redact(text)).replaceAll("<{%", "<{ %");
}

/** Where `rememberUrns` notes the URN of arguments and states. Nothing copies, sends or stores it. */
const URN = Symbol("urn");

/** The URN of the resource whose arguments or state these are. Undefined for those that `rememberUrns` has not seen. */
export const urnOf = (valueSets: readonly (object | undefined)[]): string | undefined =>
  valueSets.map((values: { readonly [URN]?: string } = {}) => values[URN]).find((urn) => urn !== undefined);

/** The URN in a message to the plugin. Configurations and functions have none. */
export function urnIn(request: object): string | undefined {
  return "getUrn" in request && typeof request.getUrn === "function" ? String(request.getUrn()) : undefined;
}

/**
 * Remembers which resource an operation is about. Pulumi's host for dynamic providers reads the values from the engine's
 * message and does not pass the URN on. If a later host reads them otherwise, statuses are shown on the stack's row.
 */
export function rememberUrns(): void {
  const messages = require("@pulumi/pulumi/proto/provider_pb") as typeof Messages;
  remember(messages.CreateRequest.prototype, "getProperties");
  remember(messages.UpdateRequest.prototype, "getNews");
  remember(messages.DeleteRequest.prototype, "getProperties");
}

function remember<Getter extends string>(
  message: { getUrn(): string } & { [Key in Getter]: () => Struct | undefined },
  getter: Getter,
): void {
  const read: () => Struct | undefined = message[getter];
  Reflect.set(message, getter, function (this: typeof message) {
    const struct = read.call(this);
    const urn = this.getUrn();
    const values = struct?.toJavaScript.bind(struct);
    return (
      struct &&
      Object.assign(struct, { toJavaScript: () => Object.defineProperty(values?.() ?? {}, URN, { value: urn }) })
    );
  });
}

/**
 * The engine prints the value of the property that a failure names, even of a secret. So the failure names no property,
 * and its reason does.
 */
export function shownFailures(failures: readonly CheckFailure[]): CheckFailure[] {
  return failures.map(({ property, reason }) => ({
    property: "",
    reason: engineText(property === "" ? reason : `${property}: ${reason}`),
  }));
}
