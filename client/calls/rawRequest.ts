import { secretsIn } from "../../common/redact";
import { UsageError } from "../errors";
import type { CallOptions } from "../options";
import type { ReadWindows } from "../rest/batch";
import { queryText } from "../values/request";
import type { WireCall } from "./call";
import type { Transport } from "./transport";

export interface RequestOptions extends CallOptions {
  /** The interface it goes to, and so the address. Default `rest`. */
  interface?: "rest" | "queue" | undefined;
  /** Absent values are left out, lists are joined with commas. */
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sending it twice does no harm, so it is sent again after a lost answer. Default: all but POST. */
  repeatable?: boolean | undefined;
}

/** @see Client.request */
export async function rawRequest(
  transport: Transport,
  windows: ReadWindows,
  {
    method,
    path,
    interface: to = "rest",
    query,
    body,
    repeatable = method !== "POST",
    ...options
  }: RequestOptions & { method: WireCall["method"]; path: string },
): Promise<unknown> {
  const { baseUrl, serverlessUrl } = transport.settings;
  const url = addressOf(to === "rest" ? baseUrl : serverlessUrl, path, query, "/v2/pods");
  const call: WireCall = {
    ...options,
    class: repeatable ? "repeatable" : "job",
    quota: to === "rest" ? "rest" : `queue ${path.split("/")[2]}`,
    key: to === "queue" ? "raw" : "bearer",
    method,
    url,
    label: `${method} ${new URL(url).pathname}`,
    kind: "Request",
    body: body === undefined ? undefined : JSON.stringify(body),
    secrets: () => secretsIn(body, path),
  };
  const send = () => transport.send(call, (answer) => answer.json);
  if (method === "GET") return send();
  // It may change resources of any kind.
  windows.closeAll();
  try {
    return await send();
  } finally {
    windows.closeAll();
  }
}

/** The address of a path. @throws UsageError for one that would be sent otherwise than it is written */
export function addressOf(base: string, path: string, query: object | undefined, example: string): string {
  const url = `${base}${path}${queryText(query)}`;
  if (path.startsWith("/") && !path.includes("#") && URL.canParse(url) && new URL(url).href === url) return url;
  throw new UsageError(`"${path}" is not a path. Write it as it is sent, from the first slash, such as ${example}.`);
}
