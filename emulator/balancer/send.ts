import { Readable } from "node:stream";
import { ownMember } from "../json";
import type { Service } from "../service";
import type { EndpointRecord, WorkerRecord } from "../store/records";
import { forward, type WorkerAnswer, type WorkerRequest } from "./forward";
import { builtIn, type ServerContext, type ServingContainer } from "./servers";

/** The request could not be delivered: nothing listens on the container's port, or the container was lost. */
export class ClosedPortError extends Error {
  override readonly name = "ClosedPortError";
}

export interface Target {
  readonly service: Service;
  readonly container: ServingContainer;
  crash(): void;
}

export const servingWorker = (worker: WorkerRecord, { args }: EndpointRecord): ServingContainer => ({
  ...worker,
  args,
});

/** Sends a request to a container's server. @throws ClosedPortError */
export async function send(target: Target, request: WorkerRequest): Promise<WorkerAnswer> {
  const { service, container } = target;
  const address = ownMember(service.settings.forward, container.image);
  if (address === undefined) return callFunction(target, request);
  try {
    return await forward(address, request);
  } catch (cause) {
    throw new ClosedPortError(`${address} did not answer`, { cause });
  }
}

async function callFunction(target: Target, request: WorkerRequest): Promise<WorkerAnswer> {
  const { service, container } = target;
  const server = ownMember(service.servers, container.image) ?? builtIn(container);
  const context = contextOf(target);
  const { method, path, body, signal } = request;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  const hasBody = body !== null && method !== "GET" && method !== "HEAD";
  try {
    const response = await server(
      new Request(`http://localhost${path}`, {
        method,
        headers,
        signal,
        ...(hasBody && { body: Readable.toWeb(body), duplex: "half" }),
      }),
      context,
    );
    const cookies = response.headers.getSetCookie();
    return {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...(cookies.length > 0 && { "set-cookie": cookies }) },
      body: response.body && Readable.fromWeb(response.body),
    };
  } catch (error) {
    if (error instanceof ClosedPortError || signal.aborted) throw error;
    context.log(String(error));
    return { status: 500, headers: { "content-type": "text/plain" }, body: Readable.from(["Internal Server Error"]) };
  }
}

const contextOf = ({ service, container, crash }: Target): ServerContext => ({
  endpointId: container.endpointId,
  workerId: container.id,
  env: container.env,
  sleep: (ms) => service.clock.sleep(ms),
  log: (line) => service.logs.write(container.id, "container", line),
  crash: () => {
    crash();
    throw new ClosedPortError("the container is gone");
  },
});
