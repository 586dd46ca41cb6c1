import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openDoor } from "../http/door";
import { resetContainer } from "../model/pods";
import { Problem } from "../problem";
import type { Service } from "../service";
import type { PodRecord } from "../store/records";
import { passAnswer, requestOf, takeAll, type WorkerAnswer, type WorkerRequest } from "./forward";
import { ClosedPortError, send } from "./send";
import { listensOn } from "./servers";

/** The path of pods' http ports at the queue's address. At the service each port has a host name of its own. */
export const POD_PROXY_PATH = "/pod-proxy";

/** How long a server may take to begin its answer. */
const ANSWER_WITHIN_MS = 100_000;

type ProxyParams = { address: string };
type ProxyRequest = FastifyRequest<{ Params: ProxyParams }>;

/** Pods' http ports, `{serverlessUrl}/pod-proxy/{podId}-{port}/...`. They are public: no key is asked for. */
export function podProxyInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "pod",
      leavesBodies: true,
      key: () => undefined,
      // The proxy's own 404 has no body.
      refuse: (reply, { status, detail }) => reply.code(status).send(status === 404 ? undefined : detail),
    },
    service,
  );
  takeAll<ProxyParams>(app, "address", { operation: "request", public: true }, (request, reply) =>
    answer(service, request, reply),
  );
}

async function answer(service: Service, request: ProxyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { address } = request.params;
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});
  const limit = service.clock.after(ANSWER_WITHIN_MS, () => {
    reject(new Problem(524, "the pod did not answer in time"));
    controller.abort();
  });
  reply.raw.once("close", () => {
    limit.cancel();
    controller.abort();
  });
  const incoming = requestOf(request, `${POD_PROXY_PATH}/${address}`, controller.signal);
  const sent = await Promise.race([sendTo(service, podAt(service, address), incoming), late]);
  limit.cancel();
  return passAnswer(sent, reply, controller.signal);
}

/** The running pod of an address such as `abc-8000`, which exposes this port. */
function podAt({ store, veil }: Service, address: string): { pod: PodRecord; port: string } {
  const [, id = "", port = ""] = /^(.+)-(\d+)$/.exec(address) ?? [];
  const pod = veil.hides(id) ? undefined : store.pods.get(id);
  if (pod?.status !== "RUNNING" || !pod.ports.includes(`${port}/http`))
    throw new Problem(404, `no running pod exposes ${address}`);
  return { pod, port };
}

async function sendTo(
  service: Service,
  { pod, port }: ReturnType<typeof podAt>,
  request: WorkerRequest,
): Promise<WorkerAnswer> {
  const { id, image, args } = pod;
  const container = { id, image, args, endpointId: "", env: { ...pod.injectedEnv, ...pod.env } };
  const listening = listensOn(container) ?? port;
  try {
    if (listening !== port) throw new ClosedPortError(`the image listens on ${listening}`);
    return await send({ service, container, crash: () => resetContainer(service, pod) }, request);
  } catch (error) {
    if (!(error instanceof ClosedPortError)) throw error;
    if (!request.signal.aborted) service.logs.write(id, "system", `port ${port}: ${error.message}`);
    throw new Problem(502, "Bad Gateway");
  }
}
