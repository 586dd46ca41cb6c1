import { Problem } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, WorkerRecord } from "../store/records";
import { crashWorker, enter, markReady } from "../workers/lifecycle";
import { healthPath } from "./address";
import { ClosedPortError, send, servingWorker } from "./send";
import { listensOn } from "./servers";
import type { Health } from "./traffic";

/** How often a booting worker's health is checked. */
const CHECK_EVERY_MS = 1000;
/** A health check without an answer counts as failed. */
const CHECK_WITHIN_MS = 10_000;
/** How long a worker that never gets healthy stays up. */
const UNHEALTHY_FOR_MS = 8 * 60_000;

/** Sends the waiting requests to the least busy ready workers, those of the newest version first. */
export function routeRequests(service: Service, endpoint: EndpointRecord): void {
  const { store, traffic, clock } = service;
  const waiting = traffic.to(endpoint.id).filter(({ workerId }) => workerId === undefined);
  if (waiting.length === 0) return;
  const workers = store.workers.by("endpoint", endpoint.id);
  const ready = workers.filter(({ status }) => status === "IDLE" || status === "RUNNING");
  const newest = ready.filter(({ version }) => version === endpoint.version);
  const open = new Map((newest.length > 0 ? newest : ready).map((worker) => [worker, traffic.at(worker).length]));
  const isClosed = workers.some(({ id }) => traffic.health.get(id) === "closed");
  const isBooting = workers.some(
    ({ id, status, until }) =>
      status === "INITIALIZING" && (traffic.health.get(id) ?? ((until ?? 0) > clock.now() ? 204 : 0)) === 204,
  );
  for (const visit of waiting) {
    const [worker] = [...open.keys()].toSorted((a, b) => (open.get(a) ?? 0) - (open.get(b) ?? 0));
    if (worker !== undefined) {
      open.set(worker, (open.get(worker) ?? 0) + 1);
      visit.workerId = worker.id;
      if (worker.status === "IDLE") enter(service, { ...worker, status: "RUNNING" });
      visit.start(worker);
    } else if (isClosed) visit.start("closed");
    else if (visit.isHealthCheck && isBooting) visit.start("booting");
  }
}

/**
 * Checks the health of a booted worker and schedules the next check. 200 makes it ready, with 204 it boots on, and a worker
 * that answers nothing else crashes after a while.
 *
 * @param changed called when the result is there
 */
export function checkHealth(
  service: Service,
  endpoint: EndpointRecord,
  worker: WorkerRecord,
  changed: () => void,
): void {
  const { store, clock, traffic, logs } = service;
  store.workers.put({ ...worker, until: clock.now() + CHECK_EVERY_MS });
  const before = traffic.health.get(worker.id);
  if (before === undefined && traffic.health.has(worker.id)) return;
  traffic.health.set(worker.id, undefined);
  void healthOf(service, endpoint, worker).then((health) => {
    const current = store.workers.get(worker.id);
    if (current?.status !== "INITIALIZING" || current.startedAt !== worker.startedAt) return;
    traffic.health.set(worker.id, health);
    if (health !== before)
      logs.write(worker.id, "system", `health check: ${inWords(service, endpoint, worker, health)}`);
    if (health === 200) markReady(service, current);
    else if (health !== 204 && clock.now() - current.since >= UNHEALTHY_FOR_MS) crashWorker(service, current);
    changed();
  });
}

async function healthOf(service: Service, endpoint: EndpointRecord, worker: WorkerRecord): Promise<Health> {
  if (closedPort(endpoint, worker) !== undefined) return "closed";
  const controller = new AbortController();
  const limit = service.clock.after(CHECK_WITHIN_MS, () => controller.abort());
  const request = { method: "GET", path: healthPath(worker), headers: {}, body: null, signal: controller.signal };
  try {
    const { status, body } = await send(
      { service, container: servingWorker(worker, endpoint), crash: () => {} },
      request,
    );
    body?.resume().on("error", () => {});
    return status;
  } catch (error) {
    return error instanceof ClosedPortError ? "closed" : 0;
  } finally {
    limit.cancel();
  }
}

/** The port that requests or health checks go to in vain, and why; undefined if both are served. */
function closedPort(endpoint: EndpointRecord, worker: WorkerRecord): string | undefined {
  const { PORT = "80", PORT_HEALTH = PORT } = worker.env;
  const listening = listensOn(servingWorker(worker, endpoint)) ?? "80";
  const exposed = ["80", ...endpoint.ports.map((port) => port.replace(/\/http$/, ""))];
  for (const port of [PORT, PORT_HEALTH]) {
    if (port !== listening) return `port ${port} is closed: the image listens on ${listening}`;
    if (!exposed.includes(port)) return `port ${port} is closed: it is not in the endpoint's ports`;
  }
  return undefined;
}

const inWords = (service: Service, endpoint: EndpointRecord, worker: WorkerRecord, health: Health): string =>
  health === "closed"
    ? (closedPort(endpoint, worker) ?? `${service.settings.forward[worker.image]} does not answer`)
    : health === 0
      ? `no answer within ${CHECK_WITHIN_MS / 1000} s`
      : `${healthPath(worker)} answered ${health}`;

/** A worker's server is gone: its requests are lost. It crashes, or a forwarded address is checked until it answers. */
export function loseWorker(service: Service, worker: WorkerRecord, how: "crash" | "closed"): void {
  const current = service.store.workers.get(worker.id);
  if (current === undefined || current.startedAt !== worker.startedAt || current.status === "UNHEALTHY") return;
  if (how === "crash") crashWorker(service, current);
  else if (current.status !== "INITIALIZING") {
    service.traffic.health.set(worker.id, "closed");
    enter(service, { ...current, status: "INITIALIZING" }, CHECK_EVERY_MS);
  }
  const lost = new Problem(502, "the worker closed the connection");
  if (how === "crash") for (const visit of service.traffic.at(current)) visit.end(lost);
}
