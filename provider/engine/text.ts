import { AsyncLocalStorage } from "node:async_hooks";
import type * as Messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { printable } from "../../common/printable";
import { redact } from "../../common/redact";
import type { CheckFailure } from "../lifecycle/definition";

type Collect = () => readonly string[];

const running = new AsyncLocalStorage<{ readonly secrets: Collect; readonly urn: string | undefined }>();

/** Other resources' shorter secrets stay: every value of `env` is one, and `true` or `8000` stand in most messages. */
const SHORTEST_OF_OTHERS = 8;
/** Nor are words alone hidden, such as a message that a variable holds: they tell what went wrong. */
const WORDS = /^\p{L}+( \p{L}+)+[.!?]?$/u;
const secretsOfRun = new Set<string>();

/**
 * Runs an operation whose messages must not quote a secret of the resource. The client redacts the secrets of the call
 * that failed. But a service may quote what an earlier call has sent.
 *
 * @param secrets collects them when there is a message: few operations have one
 * @param urn the resource's, if it is known: its row shows what the operation does
 */
export function hiding<T>(secrets: Collect, operation: () => T, urn?: string): T {
  return running.run({ secrets, urn }, operation);
}

/** The URN of the resource that the current operation is about. */
export const currentUrn = (): string | undefined => running.getStore()?.urn;

/**
 * Keeps the secrets of a resource out of the messages of all others, too. Called in the first operation of a run for a
 * resource, whose values have all of its secrets. Only the texts are kept: the engine's messages take 20 KB a resource.
 */
export function hideInRun(secrets: readonly string[]): void {
  for (const secret of secrets) if (!WORDS.test(secret)) secretsOfRun.add(secret);
}

/**
 * A text for the engine, which prints it on a terminal and interprets `<{%red%}>` as a colour. The secrets of the current
 * operation are redacted, and those of eight characters and more of all resources that this process has seen in this run,
 * words alone aside.
 */
export function engineText(text: string): string {
  const withoutOwnSecrets = redact(text, running.getStore()?.secrets() ?? []);
  // mutant others-secrets-quoted: withoutOwnSecrets
  return printable(redact(withoutOwnSecrets, [...secretsOfRun], SHORTEST_OF_OTHERS)).replaceAll("<{%", "<{ %");
}

const urns = new WeakMap<object, string>();

/** The URN of the resource whose arguments or state these are. Undefined for those that `rememberUrns` has not seen. */
export function urnOf(valueSets: readonly (object | undefined)[]): string | undefined {
  for (const values of valueSets) {
    const urn = values && urns.get(values);
    if (urn !== undefined) return urn;
  }
  return undefined;
}

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
    return struct && Object.assign(struct, { toJavaScript: () => withUrn(values?.() ?? {}, urn) });
  });
}

function withUrn<Values extends object>(values: Values, urn: string): Values {
  urns.set(values, urn);
  return values;
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
