import type * as Messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

const urns = new WeakMap<object, string>();

/** The URN of the resource whose arguments or state these are. Undefined for those that `rememberUrns` has not seen. */
export function urnOf(given: readonly (object | undefined)[]): string | undefined {
  return given.map((values) => values && urns.get(values)).find((urn) => urn !== undefined);
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
