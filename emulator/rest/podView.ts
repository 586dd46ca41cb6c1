import { commandIn } from "../model/command";
import { filledIn } from "../model/container";
import { gpuShareOf, memoryOf } from "../model/placement";
import { type PodShown, pod } from "../model/podSchemas";
import { ALLOWED_ACTIONS, hourlyCost, isReleased, publishedPorts } from "../model/pods";
import type { Service } from "../service";
import type { PodRecord } from "../store/records";
import { answerOf } from "./noun";

const SSH_PROXY = { host: "ssh.runpod.io", port: 22 };

export function podShown(service: Service, record: PodRecord) {
  const { clock, settings } = service;
  const filled = filledIn(service, record);
  const { gpu, cpu, cluster, mounts, globalNetworkIp, ...rest } = filled;
  const { global, ...ownMounts } = mounts;
  return answerOf(pod, {
    ...rest,
    ...commandIn(rest.args),
    env: { ...rest.injectedEnv, ...rest.env },
    actions: ALLOWED_ACTIONS[rest.status],
    mounts: settings.globalMounts === "shown" ? mounts : ownMounts,
    ...(gpu && { gpu: { ...gpu, ...gpuShareOf(service, gpu) } }),
    ...(cpu && { cpu: { ...cpu, memory: memoryOf(cpu) } }),
    dataCenterId: rest.machine === null ? null : rest.dataCenterId,
    cudaVersion: rest.machine === null ? null : rest.cudaVersion,
    ssh: { proxy: sshProxy(filled), direct: sshDirect(filled) },
    ...(cluster && { cluster }),
    template: null,
    cost: isReleased(filled) ? 0 : hourlyCost(service, filled),
    globalNetworking:
      globalNetworkIp === null
        ? { enabled: false }
        : { enabled: true, ip: globalNetworkIp, internalDns: `${rest.id}.runpod.internal` },
    runtime: rest.status === "RUNNING" ? runtime(filled, clock.now()) : null,
  });
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
