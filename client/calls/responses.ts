import { UsageError } from "../errors";
import type { CallOptions, ResponseEvent } from "../options";

/** Makes one call with the given options. */
export type Call<T> = (options: CallOptions) => Promise<T>;

/** A call's result and its last answer. The answer is undefined where a read was shared: the call sent no request. */
export interface WithResponse<T> {
  data: T;
  response: ResponseEvent | undefined;
}

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
