import { commandIn } from "../model/command";
import { filledIn } from "../model/container";
import { gpuShareOf, memoryOf } from "../model/placement";
import type { PodShown } from "../model/podSchemas";
import { ALLOWED_ACTIONS, hourlyCost, isReleased, publishedPorts } from "../model/pods";
import type { Service } from "../service";
import type { PodRecord } from "../store/records";

const SSH_PROXY = { host: "ssh.runpod.io", port: 22 };

export function podShown(service: Service, record: PodRecord): PodShown {
  const { clock } = service;
  const pod = filledIn(service, record);
  const running = pod.status === "RUNNING";
  return {
    id: pod.id,
    name: pod.name,
    image: pod.image,
    args: pod.args,
    ...commandIn(pod.args),
    disk: pod.disk,
    ports: [...pod.ports],
    env: { ...pod.injectedEnv, ...pod.env },
    registry: pod.registry,
    status: pod.status,
    actions: [...ALLOWED_ACTIONS[pod.status]],
    mounts: mountsShown(service, pod),
    ...(pod.gpu && { gpu: { ...pod.gpu, ...gpuShareOf(service, pod.gpu) } }),
    ...(pod.cpu && { cpu: { ...pod.cpu, memory: memoryOf(pod.cpu) } }),
    cloud: pod.cloud,
    dataCenterId: pod.machine === null ? null : pod.dataCenterId,
    cudaVersion: pod.machine === null ? null : pod.cudaVersion,
    ssh: { proxy: sshProxy(pod), direct: sshDirect(pod) },
    ...(pod.cluster && { cluster: pod.cluster }),
    template: null,
    cost: isReleased(pod) ? 0 : hourlyCost(service, pod),
    locked: pod.locked,
    globalNetworking:
      pod.globalNetworkIp === null
        ? { enabled: false }
        : { enabled: true, ip: pod.globalNetworkIp, internalDns: `${pod.id}.runpod.internal` },
    runtime: running ? runtime(pod, clock.now()) : null,
    createdAt: new Date(pod.createdAt).toISOString(),
    startedAt: pod.startedAt === null ? null : new Date(pod.startedAt).toISOString(),
  };
}

function mountsShown({ settings }: Service, { mounts }: PodRecord): PodShown["mounts"] {
  const { persistent, network, global } = mounts;
  return {
    ...(persistent && { persistent }),
    ...(network && { network: [...network] }),
    ...(global && settings.globalMounts === "shown" && { global: [...global] }),
  };
}

function sshProxy({ id, machine }: PodRecord): PodShown["ssh"]["proxy"] {
  if (machine === null) return null;
  const username = `${id}-${machine}`;
  return { ...SSH_PROXY, username, command: `ssh ${username}@${SSH_PROXY.host}` };
}

/** Null unless the running pod publishes 22/tcp. */
export function sshDirect({ publicIp, publicPorts }: PodRecord): PodShown["ssh"]["direct"] {
  const port = publicPorts["22/tcp"];
  if (publicIp === null || port === undefined) return null;
  return { host: publicIp, port, username: "root", command: `ssh root@${publicIp} -p ${port}` };
}

function runtime(pod: PodRecord, now: number): NonNullable<PodShown["runtime"]> {
  return {
    uptime: Math.floor((now - (pod.startedAt ?? now)) / 1000),
    gpus: Array.from({ length: pod.gpu?.count ?? 0 }, () => ({ util: 0, memoryUtil: 0 })),
    cpu: { util: 1 },
    memory: { util: 3 },
    ports: publishedPorts(pod),
  };
}
