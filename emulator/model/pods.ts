import { randomInt } from "node:crypto";
import { DISK_USD_PER_GB_HOUR, HOURS_PER_MONTH } from "../billing/charges";
import { CPU_FLAVORS } from "../catalog/cpus";
import { newId } from "../ids";
import { conflict } from "../problem";
import type { Service } from "../service";
import type { PodRecord, PodStatus } from "../store/records";
import { SYMMETRIC_FROM } from "./container";
import { MISSING_IMAGE_TAG } from "./images";
import { sshKeysOf } from "./sshKeys";
import { releaseTemplate } from "./templates";

export const POD_ACTIONS = ["start", "stop", "restart", "terminate"] as const;
export type PodAction = (typeof POD_ACTIONS)[number];

export const ALLOWED_ACTIONS: Readonly<Record<PodStatus, readonly PodAction[]>> = {
  PROVISIONING: ["stop", "terminate"],
  STARTING: ["stop", "terminate"],
  RUNNING: ["stop", "restart", "terminate"],
  EXITED: ["start", "terminate"],
  ERROR: ["start", "terminate"],
};

const STOPPED_VOLUME_USD_PER_GB_MONTH = 0.2;

/** What a pod is until it has booted for the first time. */
const UNBOOTED = {
  status: "PROVISIONING",
  bootsAt: null,
  globalNetworkIp: null,
  locked: false,
  machine: null,
  publicIp: null,
  publicPorts: {},
  startedAt: null,
} as const;

export function startPod(
  service: Service,
  pod: Omit<PodRecord, keyof typeof UNBOOTED | "id" | "createdAt">,
): PodRecord {
  const booting = bootPod(service, { ...UNBOOTED, ...pod, id: newId.pod(), createdAt: service.clock.now() });
  scheduleEnds(service, booting);
  return booting;
}

/** Stops and terminates a pod at the times that its creator has set. */
function scheduleEnds(service: Service, { id, stopsAt, terminatesAt }: PodRecord): void {
  const at = (due: number | undefined, end: (pod: PodRecord) => void) => {
    if (due === undefined) return;
    service.clock.at(due, () => {
      const pod = service.store.pods.get(id);
      if (pod !== undefined) end(pod);
    });
  };
  at(stopsAt, (pod) => {
    if (!isReleased(pod)) stopPod(service, pod, "EXITED");
  });
  at(terminatesAt, (pod) => removePod(service, pod));
}

/** Starts booting: PROVISIONING, STARTING, RUNNING. */
function bootPod(service: Service, pod: PodRecord): PodRecord {
  if (pod.cluster === null) service.meter.start("pod", pod.id, runningRates(service, pod));
  return enter(service, { ...pod, startedAt: null, publicPorts: {} }, "PROVISIONING");
}

export function resetContainer(service: Service, pod: PodRecord): PodRecord {
  return enter(service, { ...pod, startedAt: null, publicPorts: {} }, "STARTING");
}

/** Carries out an action; returns undefined when that deleted the pod. An action that the status forbids is a 409. */
export function actOnPod(service: Service, pod: PodRecord, action: PodAction): PodRecord | undefined {
  if (!ALLOWED_ACTIONS[pod.status].includes(action))
    throw conflict(`action '${action}' is not allowed while the pod is ${pod.status}`);
  if (pod.locked && (action === "stop" || action === "restart"))
    throw conflict("pod is locked: unlock it before stopping or restarting it");
  switch (action) {
    case "start":
      return bootPod(service, pod);
    case "restart":
      return resetContainer(service, pod);
    case "stop":
      return stopPod(service, pod, "EXITED");
    case "terminate":
      removePod(service, pod);
      return undefined;
  }
}

export function removePod(service: Service, pod: PodRecord): void {
  service.meter.stop(pod.id);
  service.store.pods.delete(pod.id);
  service.logs.end(pod.id);
  if (pod.templateId !== null) releaseTemplate(service, pod.templateId);
}

/** Variables that the platform adds to the environment. Declared ones win. */
export function injectedEnv(
  service: Service,
  { startSsh, startJupyter }: { startSsh: boolean; startJupyter: boolean },
): Record<string, string> {
  const keys = sshKeysOf(service);
  return {
    ...(startSsh && keys.length > 0 && { PUBLIC_KEY: keys.join("\n") }),
    ...(startJupyter && { JUPYTER_PASSWORD: newId.password() }),
  };
}

/** Schedules the rest of every boot and life, after a restart of the emulator. */
export function resumePods(service: Service): void {
  for (const pod of service.store.pods.values()) {
    scheduleBoot(service, pod);
    scheduleEnds(service, pod);
  }
}

/** Whether a pod no longer holds compute. */
export const isReleased = ({ status }: Pick<PodRecord, "status">): boolean => status === "EXITED" || status === "ERROR";

/** The declared ports of a running pod, with their public addresses. */
export function publishedPorts({ ports, publicPorts, publicIp }: PodRecord) {
  return ports.map((declared) => {
    const [number, type = "tcp"] = declared.split("/");
    const port = publicPorts[declared] ?? null;
    const symmetric = port !== null && Number(number) >= SYMMETRIC_FROM;
    return { private: symmetric ? port : Number(number), public: port, type, ip: port === null ? null : publicIp };
  });
}

/** USD per hour while the pod holds its compute. */
export const hourlyCost = (service: Service, pod: Pick<PodRecord, "gpu" | "cpu" | "cloud" | "bid">): number =>
  gpuRate(service, pod) + cpuRate(pod);

export function currentSpend(service: Service): number {
  let spend = 0;
  for (const pod of service.store.pods.values()) if (!isReleased(pod)) spend += hourlyCost(service, pod);
  return spend;
}

function stopPod(service: Service, pod: PodRecord, status: "EXITED" | "ERROR"): PodRecord {
  if (pod.cluster === null) service.meter.start("pod", pod.id, stoppedRates(pod));
  service.logs.write(pod.id, "system", status === "ERROR" ? `error pulling image ${pod.image}` : "stop container");
  return service.store.pods.put({ ...pod, status, bootsAt: null, startedAt: null, publicPorts: {} });
}

function enter(service: Service, pod: PodRecord, status: "PROVISIONING" | "STARTING"): PodRecord {
  const bootsAt = service.clock.now() + service.settings.podBootMs / 2;
  service.logs.write(pod.id, "system", status === "PROVISIONING" ? `create container ${pod.image}` : "start container");
  const entered = service.store.pods.put({ ...pod, status, bootsAt });
  scheduleBoot(service, entered);
  return entered;
}

function scheduleBoot(service: Service, { id, bootsAt }: PodRecord): void {
  if (bootsAt === null) return;
  service.clock.at(bootsAt, () => {
    const pod = service.store.pods.get(id);
    // If the pod has another time, a later boot or a stop has replaced this one.
    if (pod?.bootsAt === bootsAt) continueBoot(service, pod);
  });
}

function continueBoot(service: Service, pod: PodRecord): void {
  const placed = { ...pod, machine: pod.machine ?? newId.machine(), publicIp: pod.publicIp ?? publicIp() };
  if (pod.status === "PROVISIONING") enter(service, placed, "STARTING");
  else if (pod.image.endsWith(MISSING_IMAGE_TAG)) stopPod(service, placed, "ERROR");
  else {
    service.store.pods.put({
      ...placed,
      status: "RUNNING",
      bootsAt: null,
      startedAt: service.clock.now(),
      publicPorts: publicPorts(pod.ports),
      globalNetworkIp: pod.globalNetworking ? (pod.globalNetworkIp ?? privateIp()) : null,
    });
    service.logs.write(pod.id, "container", "container is ready");
  }
}

function publicPorts(ports: readonly string[]): Record<string, number> {
  const tcp = ports.filter((port) => port.endsWith("/tcp"));
  return Object.fromEntries(tcp.map((port) => [port, randomInt(10_000, 60_000)]));
}

const publicIp = (): string => `195.26.${randomInt(1, 255)}.${randomInt(1, 255)}`;
const privateIp = (): string => `10.1.${randomInt(0, 255)}.${randomInt(2, 255)}`;

function gpuRate({ catalog }: Service, { gpu, cloud, bid }: Pick<PodRecord, "gpu" | "cloud" | "bid">): number {
  if (gpu === null) return 0;
  if (bid !== undefined) return bid * gpu.count;
  return (catalog.gpuTypes.get(gpu.id)?.price[cloud === "SECURE" ? "secure" : "community"] ?? 0) * gpu.count;
}

const cpuRate = ({ cpu }: Pick<PodRecord, "cpu">): number =>
  cpu === null ? 0 : (CPU_FLAVORS.get(cpu.id)?.price.securePerVcpu ?? 0) * cpu.vcpuCount;

const runningRates = (service: Service, pod: PodRecord): Record<string, number> => ({
  gpu: gpuRate(service, pod),
  cpu: cpuRate(pod),
  disk: (pod.disk + (pod.mounts.persistent?.size ?? 0)) * DISK_USD_PER_GB_HOUR,
});

/** A stopped pod pays only for its volume, at a higher price. */
const stoppedRates = ({ mounts }: PodRecord): Record<string, number> => ({
  disk: ((mounts.persistent?.size ?? 0) * STOPPED_VOLUME_USD_PER_GB_MONTH) / HOURS_PER_MONTH,
});
