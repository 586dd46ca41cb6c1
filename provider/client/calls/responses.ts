import { UsageError } from "../errors";
import type { CallOptions, ResponseEvent } from "../options";
import { bodyOf } from "./hooks";

/** Makes one call with the given options. */
export type Call<T> = (options: CallOptions) => Promise<T>;

/** A call's result and its last answer. The answer is undefined where a read was shared: the call sent no request. */
export interface WithResponse<T> {
  data: T;
  response: ResponseEvent | undefined;
}

/** A `Response` with one of these statuses takes no body. */
const bodiless = new Set([204, 205, 304]);

/** @throws UsageError, before anything is sent, when the call takes no options: they connect it with its answer */
export async function withResponse<T>(call: Call<T>): Promise<WithResponse<T>> {
  if (call.length === 0) {
    throw new UsageError(
      "The call does not take the options, without which its answer is unknown. Pass them on: " +
        "client.withResponse((options) => client.pods.get(id, options)). Nothing was sent.",
    );
  }
  let response: ResponseEvent | undefined;
  const onResponse = (event: ResponseEvent) => {
    response = event;
  };
  const data = await call({ onResponse });
  return { data, response };
}

export async function asResponse(call: Call<unknown>): Promise<Response | undefined> {
  const { response } = await withResponse(call);
  if (response === undefined) return undefined;
  const { status } = response;
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headers)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  // They describe the compressed body.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(bodiless.has(status) ? null : bodyOf(response), { status, headers });
}
