// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource, type RevisedTemplate } from "./internal/resource";
import type { CpuArgs, DataCenterId, GpuTypeId, MountsArgs } from "./types";

/** GPUs of a pod. */
export interface PodGpuArgs {
  /** GPU type of the catalog, such as `NVIDIA L4`. Changing it replaces. */
  id: Input<GpuTypeId>;
  /** GPUs of the pod. Default 1. Changing it replaces. */
  count?: Input<number>;
  /**
   * CUDA versions such as "12.4"; not together with `minCudaVersion`. Default: any, or the template's. Another order is
   * not a change. Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  allowedCudaVersions?: Input<Input<string>[]>;
  /**
   * Lowest CUDA version, such as "12.4". Default: none. Write-only: changes made elsewhere are not seen. Changing it
   * replaces.
   */
  minCudaVersion?: Input<string>;
  /**
   * GB of memory that the machine must have for each GPU. A pod on a machine that has enough is not replaced. Default:
   * any. Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  minRamPerGpu?: Input<number>;
  /**
   * Number of vCPUs that the machine must have for each GPU. A pod on a machine that has enough is not replaced.
   * Default: any. Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  minVcpuCountPerGpu?: Input<number>;
}

export type Cloud = "SECURE" | "COMMUNITY";
export const Cloud = { Secure: "SECURE", Community: "COMMUNITY" } as const;

export type PodDesiredStatus = "RUNNING" | "EXITED";
export const PodDesiredStatus = { Running: "RUNNING", Exited: "EXITED" } as const;

/** Storage of one machine, under a path in the container. */
export interface PersistentMount {
  /** GB, at least 10. */
  size: number;
  /** Path in the container. */
  path: string;
}

/** A network volume, under a path in the container. */
export interface NetworkMount {
  /** Id of a NetworkVolume in the same data center. */
  volumeId: string;
  /** Path in the container. */
  path: string;
}

/** A global volume, under a path in the container. */
export interface GlobalMount {
  /** Id of a GlobalVolume. */
  volumeId: string;
  /** Path in the container. */
  path: string;
}

/** Storage that outlives a restart: at most one of `persistent` and `network`, and a global volume. */
export interface Mounts {
  /** Storage of the pod's machine. Not offered on CPU pods. */
  persistent?: PersistentMount;
  /** A network volume: at most one. */
  network?: NetworkMount[];
  /**
   * A global volume: at most one, on pods with GPUs, alone or beside another mount. How the service takes it is
   * inferred; the error of a refusal says what to do.
   */
  global?: GlobalMount[];
}

/** Commands for a shell: through the proxy, and to the pod itself where port 22/tcp is public. */
export interface PodSsh {
  /** Through the service's proxy. */
  proxy?: string;
  /** To the pod itself, where port 22/tcp is public. */
  direct?: string;
}

/** A port that reaches the internet. */
export interface PublicPort {
  /** As declared in `ports`. */
  port: number;
  /** `tcp` or `http`. */
  protocol?: string;
  /** `ip:port`. A start of the pod gives it a new number. */
  address: string;
}

export interface PodArgs extends CommonArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** Container image with its tag. Required without `templateId`. Updates in place. */
  image?: Input<string>;
  /** Command of the container, one string. Default: the template's, or the image's own. Updates in place. */
  args?: Input<string>;
  /**
   * In place of the image's entry point, word by word. Not together with `args`. Default: the template's, or the
   * image's own. Updates in place.
   */
  entrypoint?: Input<Input<string>[]>;
  /**
   * In place of the image's command, word by word. Not together with `args`. Default: the template's, or the image's
   * own. Updates in place.
   */
  cmd?: Input<Input<string>[]>;
  /**
   * Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.
   * Updates in place.
   */
  disk?: Input<number>;
  /**
   * `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Default: the template's, or none. Another order
   * is not a change. Updates in place.
   */
  ports?: Input<Input<string>[]>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: the template's, or
   * none. Always a secret. Updates in place.
   */
  env?: Input<Record<string, Input<string>>>;
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. Updates in place. */
  registry?: Input<string>;
  /** A Template whose settings are copied, and copied again in the run that changes it. Give this or `templateId`. */
  template?: RevisedTemplate;
  /**
   * Id of a template, own or public, whose settings are copied; changing it copies again. Default: none. Write-only:
   * changes made elsewhere are not seen. Updates in place.
   */
  templateId?: Input<string>;
  /**
   * A number whose change copies the template's settings again. Default: none. Write-only: changes made elsewhere are
   * not seen.
   */
  templateRevision?: Input<number>;
  /** Exactly one of `gpu` and `cpu`. Setting or removing it replaces. */
  gpu?: Input<PodGpuArgs>;
  /**
   * GPU types to try, in order, when `gpu.id` is not available. The output `gpuTypeId` names the chosen type. Default:
   * none. Changing it alone updates nothing.
   */
  gpuAlternatives?: Input<Input<GpuTypeId>[]>;
  /** Exactly one of `gpu` and `cpu`. Changing it replaces. */
  cpu?: Input<CpuArgs>;
  /** Cloud that the machine belongs to. Network volumes need SECURE. Default `SECURE`. Changing it replaces. */
  cloud?: Input<Cloud>;
  /**
   * Data centers to try, in order; none: any. A list that includes the pod's current data center is not a change.
   * Default: none. Another order is not a change. Write-only: changes made elsewhere are not seen. Changing it
   * replaces.
   */
  dataCenterIds?: Input<Input<DataCenterId>[]>;
  /**
   * Storage that outlives a restart: at most one of `persistent` and `network`, and a global volume. Default: none.
   * Updates in place.
   */
  mounts?: Input<MountsArgs>;
  /**
   * Needs an NVIDIA GPU and a data center that offers it; takes effect at the next start. Default false. Updates in
   * place.
   */
  globalNetworking?: Input<boolean>;
  /**
   * Injects the account's SSH keys. Default false, or the template's. Write-only: changes made elsewhere are not seen.
   * Changing it replaces.
   */
  startSsh?: Input<boolean>;
  /**
   * Starts Jupyter with a generated password. Default false, or the template's. Write-only: changes made elsewhere are
   * not seen. Changing it replaces.
   */
  startJupyter?: Input<boolean>;
  /** Refuses stop, restart and delete. Default false. Updates in place. */
  locked?: Input<boolean>;
  /** Started or stopped; a stopped pod keeps only its mounts. Default `RUNNING`. Updates in place. */
  desiredStatus?: Input<PodDesiredStatus>;
  /**
   * How long to wait for free hardware, such as "2h": the create is repeated with every GPU type and data center in
   * turn until one has room. `createTimeout` begins once it is created. Default: not at all. Changing it alone updates
   * nothing.
   */
  waitForCapacity?: Input<string>;
  /** Whether a run waits until the pod runs. Default true. Changing it alone updates nothing. */
  awaitRunning?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default `15m`. Changing it alone updates nothing. */
  createTimeout?: Input<string>;
}

/**
 * One machine with GPUs or CPUs that runs one container.
 *
 * @example A GPU, or the next best, with a network volume and a shell
 * ```ts
 * import { NetworkVolume, Pod } from "pulumi-computecloud";
 *
 * const networkVolume = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" });
 * const dev = new Pod("dev", {
 *   image: "registry.example.com/pytorch:2.4",
 *   gpu: { id: "NVIDIA GeForce RTX 4090" },
 *   gpuAlternatives: ["NVIDIA RTX A5000", "NVIDIA L4"],
 *   dataCenterIds: ["EU-RO-1"],
 *   mounts: { network: [{ volumeId: networkVolume.id, path: "/workspace" }] },
 *   ports: ["22/tcp", "8888/http"],
 *   startSsh: true,
 * });
 * ```
 *
 * @example CPUs alone
 * ```ts
 * import { Pod } from "pulumi-computecloud";
 *
 * const worker = new Pod("worker", {
 *   image: "registry.example.com/worker:3",
 *   cpu: { id: "cpu5c", vcpuCount: 4 },
 *   disk: 20,
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/pods/create-a-pod (POST /v2/pods)
 */
export class Pod extends ComputeCloudResource {
  /** Need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** Container image with its tag. Required without `templateId`. */
  declare readonly image: Output<string | undefined>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: the template's, or
   * none. A secret.
   */
  declare readonly env: Output<Record<string, string> | undefined>;
  /** Cloud that the machine belongs to. Network volumes need SECURE. */
  declare readonly cloud: Output<Cloud>;
  /** Storage that outlives a restart: at most one of `persistent` and `network`, and a global volume. */
  declare readonly mounts: Output<Mounts>;
  /** Refuses stop, restart and delete. */
  declare readonly locked: Output<boolean>;
  /** Started or stopped; a stopped pod keeps only its mounts. */
  declare readonly desiredStatus: Output<PodDesiredStatus>;
  /** Container disk in GB. */
  declare readonly disk: Output<number>;
  /** The chosen GPU type: `gpu.id` or one of `gpuAlternatives`. Undefined on CPU pods. */
  declare readonly gpuTypeId: Output<string | undefined>;
  /** Data center of the pod. */
  declare readonly dataCenterId: Output<string | undefined>;
  /** GB of memory, on GPU pods for all GPUs together. */
  declare readonly memory: Output<number | undefined>;
  /** Number of vCPUs, on GPU pods for all GPUs together. */
  declare readonly vcpuCount: Output<number | undefined>;
  /** Commands for a shell: through the proxy, and to the pod itself where port 22/tcp is public. */
  declare readonly ssh: Output<PodSsh>;
  /** TCP ports that reach the internet. */
  declare readonly publicPorts: Output<PublicPort[]>;
  /**
   * Addresses of the http ports by port, such as `{ "8888": "https://…" }`; undefined where the cloud's proxy is not
   * known.
   */
  declare readonly proxyUrls: Output<Record<string, string> | undefined>;
  /** Name in the global network, where enabled. */
  declare readonly internalDns: Output<string | undefined>;
  /** USD, when it was created. */
  declare readonly costPerHour: Output<number>;
  /** When it was created, RFC 3339. */
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: PodArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "pod",
        type: "Pod",
        outputs: [
          "name",
          "image",
          "env",
          "cloud",
          "mounts",
          "locked",
          "desiredStatus",
          "disk",
          "gpuTypeId",
          "dataCenterId",
          "memory",
          "vcpuCount",
          "ssh",
          "publicPorts",
          "proxyUrls",
          "internalDns",
          "costPerHour",
          "createdAt",
        ],
        secrets: ["env"],
        takesTemplate: "onRequest",
      },
      name,
      args,
      options,
    );
  }
}
