import type { Addresses } from "./protocol";

/** A call that the page can make for its user. */
export interface Call {
  readonly interface: "rest" | "queue" | "control";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

export interface CallResult {
  readonly status: number;
  readonly text: string;
}

/** Sends a call. The control address is this page's own. The emulator makes calls to the service, because it has the key. */
export async function send(call: Call): Promise<CallResult> {
  if (call.interface === "control") {
    const answer = await fetch(call.path, request(call.method, call.body));
    return { status: answer.status, text: await answer.text() };
  }
  const answer = await fetch("call", request("POST", call));
  const text = await answer.text();
  return answer.ok ? JSON.parse(text) : { status: answer.status, text };
}

function request(method: string, body: unknown): RequestInit {
  if (body === undefined) return { method };
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The same call as a shell command, with a variable instead of the key. */
export function curlOf(call: Call, { baseUrl, serverlessUrl }: Addresses): string {
  const base = { rest: baseUrl, queue: serverlessUrl, control: location.origin }[call.interface];
  return [
    "curl",
    ...(call.method === "GET" ? [] : ["-X", call.method]),
    quote(base + call.path),
    ...(call.interface === "control" ? [] : ['-H "authorization: Bearer $COMPUTECLOUD_API_KEY"']),
    ...(call.body === undefined ? [] : ["-H 'content-type: application/json'", "-d", quote(JSON.stringify(call.body))]),
  ].join(" ");
}

/** Quotes any text as one word of a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
