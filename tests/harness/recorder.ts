import { request } from "node:http";
import { serve } from "./serve";

/** A call that changes something, with what was sent. */
export interface Write {
  /** Method and path, such as `PATCH /v2/pods/abc`. */
  readonly call: string;
  readonly body: unknown;
}

/** Stands before the REST interface and keeps what was sent, which the emulator's own log leaves out. */
export interface Recorder extends AsyncDisposable {
  readonly baseUrl: string;
  /** The writes since it was asked last. */
  take(): Write[];
}

export async function startRecorder(baseUrl: string): Promise<Recorder> {
  let writes: Write[] = [];
  const { address, ...server } = await serve((incoming, response) => {
    const { method = "GET", url = "/", headers } = incoming;
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      if (method !== "GET") writes.push({ call: `${method} ${url}`, body: text === "" ? undefined : JSON.parse(text) });
    });
    const forwarded = request(new URL(url, baseUrl), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  return {
    ...server,
    baseUrl: address,
    take() {
      const taken = writes;
      writes = [];
      return taken;
    },
  };
}
