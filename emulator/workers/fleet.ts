import { checkHealth, routeRequests } from "../balancer/route";
import { notFound } from "../problem";
import { finish, forget, markQueued, markStarted } from "../queue/transitions";
import type { Service } from "../service";
import type { EndpointRecord, JobRecord, WorkerRecord } from "../store/records";
import { crashWorker, freeWorker, markReady, occupyWorker, passState, removeWorker, startWorker } from "./lifecycle";
import { endRun, type Outcome, startRun } from "./run";
import { type Load, nextScaleUp, wantedWorkers } from "./scaling";

/** How often a job whose worker was lost is dispatched again. */
const MOST_RETRIES = 1;

/**
 * Reconciles an endpoint's workers with its configuration, its queue and the time. It depends only on records, so it may be
 * called at any time, even after a restart.
 */
export function reconcile(service: Service, endpointId: string): void {
  const endpoint = service.store.endpoints.get(endpointId);
  if (endpoint === undefined) return;
  const replaced = retire(service, endpoint);
  const isBalancer = endpoint.type === "LOAD_BALANCER";
  const booted = (worker: WorkerRecord) =>
    isBalancer
      ? checkHealth(service, endpoint, worker, () => reconcile(service, endpointId))
      : markReady(service, worker);
  for (const worker of workersOf(service, endpointId)) passState(service, endpoint, worker, booted);
  if (!isBalancer) dispatch(service, endpointId);
  const load = loadOf(service, endpointId);
  const wanted = wantedWorkers(endpoint, { ...load, workers: load.workers + replaced }, service.clock.now());
  for (let missing = wanted - load.workers; missing > 0; missing--) startWorker(service, endpoint);
  if (isBalancer) routeRequests(service, endpoint);
  lookAgain(service, endpoint);
}

/** Resumes all endpoints from their records. Jobs whose handlers a restart has interrupted start again. */
export function resumeWorkers(service: Service): void {
  const { store, looks, runs } = service;
  for (const jobId of [...runs.keys()]) endRun(service, jobId);
  for (const { timer } of looks.values()) timer.cancel();
  looks.clear();
  for (const worker of [...store.workers.values()]) if (worker.status === "RUNNING") freeWorker(service, worker);
  for (const job of [...store.jobs.values()])
    if (job.status === "IN_PROGRESS") markQueued(service, job, { queuedAt: job.queuedAt });
  for (const id of Array.from(store.endpoints.values(), (endpoint) => endpoint.id)) reconcile(service, id);
}

export function callOff(service: Service, job: JobRecord): void {
  endRun(service, job.id);
  const worker = service.store.workers.get(job.workerId ?? "");
  if (worker?.jobId === job.id) freeWorker(service, worker);
}

/** Ends all workers and requests of an endpoint and deletes its jobs. */
export function disband(service: Service, endpointId: string): void {
  const { store, looks, traffic } = service;
  looks.get(endpointId)?.timer.cancel();
  looks.delete(endpointId);
  for (const visit of traffic.to(endpointId)) visit.end(notFound("endpoint"));
  for (const { id } of store.jobs.by("endpoint", endpointId)) {
    endRun(service, id);
    forget(service, id);
  }
  for (const worker of workersOf(service, endpointId)) removeWorker(service, worker);
}

const workersOf = ({ store }: Service, endpointId: string): WorkerRecord[] => store.workers.by("endpoint", endpointId);

/** Stops workers without work that are outdated, surplus or spare. Returns the number of outdated ones to replace. */
function retire(service: Service, endpoint: EndpointRecord): number {
  const workers = workersOf(service, endpoint.id);
  let left = workers.length;
  let replaced = 0;
  for (const worker of workers.filter(({ status }) => status !== "RUNNING")) {
    const outdated = worker.version !== endpoint.version;
    const spare = left > endpoint.workers.max || (left > endpoint.workers.min && isSpare(service, endpoint, worker));
    if (!outdated && !spare) continue;
    removeWorker(service, worker);
    left -= 1;
    if (!spare) replaced += 1;
  }
  return replaced;
}

/** Whether a worker is idle for too long, or fails to start while there is no demand. */
function isSpare({ store, traffic, clock }: Service, endpoint: EndpointRecord, worker: WorkerRecord): boolean {
  if (worker.status === "IDLE") return idleUntil(endpoint, worker) <= clock.now();
  const triesAgain = worker.status !== "INITIALIZING" && (worker.until ?? 0) <= clock.now();
  return triesAgain && store.jobs.count("demand", endpoint.id) + traffic.to(endpoint.id).length === 0;
}

const idleUntil = ({ workers }: EndpointRecord, { since }: WorkerRecord): number => since + workers.idleTimeout * 1000;

/** Assigns queued jobs to ready workers, those of low priority last. */
function dispatch(service: Service, endpointId: string): void {
  const { jobs } = service.store;
  for (const worker of workersOf(service, endpointId)) {
    if (worker.status !== "IDLE") continue;
    const job = jobs.first("queued", endpointId) ?? jobs.first("queuedLow", endpointId);
    if (job === undefined) return;
    occupyWorker(service, worker, job.id);
    startRun(service, worker, markStarted(service, job, worker), (outcome) =>
      settle(service, worker.id, job.id, outcome),
    );
  }
}

function settle(service: Service, workerId: string, jobId: string, outcome: Outcome): void {
  const worker = service.store.workers.get(workerId);
  const job = service.store.jobs.get(jobId);
  if (worker === undefined || job === undefined) return;
  if (outcome.kind === "completed")
    finish(service, job, "COMPLETED", outcome.output === undefined ? {} : { output: outcome.output });
  else if (outcome.kind === "failed") finish(service, job, "FAILED", { error: outcome.error });
  else if (outcome.kind === "timedOut")
    finish(service, job, "FAILED", { error: `job timed out after ${job.executionTimeout} ms` });
  else if (job.retries < MOST_RETRIES) markQueued(service, job, { retries: job.retries + 1 });
  else finish(service, job, "FAILED", { error: `job timed out after ${job.retries} retries` });
  if (outcome.kind === "lost") crashWorker(service, worker);
  else if (outcome.kind === "timedOut" || (outcome.kind === "completed" && outcome.refreshWorker))
    removeWorker(service, worker);
  else freeWorker(service, worker);
  reconcile(service, job.endpointId);
}

function loadOf(service: Service, endpointId: string): Load {
  const { jobs } = service.store;
  const workers = workersOf(service, endpointId);
  const requests = service.traffic.to(endpointId);
  return {
    demand: jobs.count("demand", endpointId) + requests.length,
    oldestQueuedAt:
      jobs.first("queued", endpointId)?.queuedAt ?? requests.find(({ workerId }) => workerId === undefined)?.arrivedAt,
    workers: workers.length,
    lastStartedAt: Math.max(0, ...workers.map(({ createdAt }) => createdAt)),
  };
}

/** Schedules the next reconciliation for when the next change is due. */
function lookAgain(service: Service, endpoint: EndpointRecord): void {
  const { clock, looks } = service;
  const workers = workersOf(service, endpoint.id);
  const idleOnesStop = workers.length > endpoint.workers.min;
  const dues = [
    nextScaleUp(endpoint, loadOf(service, endpoint.id)),
    ...workers.map((worker) =>
      worker.status === "IDLE" && idleOnesStop ? idleUntil(endpoint, worker) : (worker.until ?? undefined),
    ),
  ].filter((due) => due !== undefined);
  const due = Math.min(...dues);
  const scheduled = looks.get(endpoint.id);
  if (scheduled?.due === due) return;
  scheduled?.timer.cancel();
  looks.delete(endpoint.id);
  if (dues.length === 0) return;
  const look = () => {
    looks.delete(endpoint.id);
    reconcile(service, endpoint.id);
  };
  looks.set(endpoint.id, { due, timer: clock.at(due, look) });
}
