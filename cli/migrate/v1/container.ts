import { type Fields, stated } from "./fields";

/** v1's defaults. v2's defaults differ. */
export const V1_DEFAULTS = {
  disk: 50,
  volumeInGb: 20,
  volumeMountPath: "/workspace",
  ports: ["8888/http", "22/tcp"],
} as const;

/**
 * The container fields of a pod, of a template, and of a template inside an endpoint.
 *
 * @param defaults where v1 added some
 */
export function container(
  fields: Fields,
  defaults: Partial<Pick<typeof V1_DEFAULTS, "disk" | "ports">> = {},
): Record<string, unknown> {
  const clearsRegistry = fields.isUpdate && fields.mentions("containerRegistryAuthId");
  return stated({
    image: fields.text("imageName", "image"),
    ...command(fields),
    disk: disk(fields) ?? defaults.disk,
    ports: ports(fields) ?? defaults.ports,
    env: fields.variables("env"),
    registry: fields.text("containerRegistryAuthId") ?? (clearsRegistry ? null : undefined),
  });
}

/** With an entry point, v2 takes a command only as a list of words. */
function command(fields: Fields) {
  const start = fields.command("dockerStartCmd", "dockerArgs");
  const entrypoint = fields.list("dockerEntrypoint") ?? [];
  const isNamed = entrypoint.length > 0 || (fields.isUpdate && fields.mentions("dockerEntrypoint"));
  if (!isNamed || typeof start === "string") {
    if (isNamed)
      fields.warn(
        "dockerEntrypoint",
        "v2 takes an entrypoint beside a command in words only: write the command as cmd",
      );
    if (start === undefined || typeof start === "string") return { args: start };
    return { args: start.length > 0 || fields.isUpdate ? quoteArgv(start) : undefined };
  }
  return { entrypoint, cmd: start };
}

function disk(fields: Fields): number | undefined {
  const size = fields.integer("containerDiskInGb");
  if (size === undefined || size >= 1) return size;
  fields.warn("containerDiskInGb", "v2 takes 1 GB or more: it is left to the service");
  return undefined;
}

function ports(fields: Fields): string[] | undefined {
  const all = fields.list("ports");
  const taken = all?.filter((port) => /^\d+\/(http|tcp)$/.test(port));
  const others = all?.filter((port) => !taken?.includes(port)) ?? [];
  if (others.length > 0) fields.warn("ports", `v2 takes http and tcp ports only: ${others.join(", ")} left out`);
  return taken;
}

const LEAST_GB = 10;

/** A size that v2 takes. */
export function volumeGb(fields: Fields, name: string, size: number): number {
  if (size < LEAST_GB) fields.warn(name, `v2 takes ${LEAST_GB} GB or more: ${LEAST_GB} instead of ${size}`);
  return Math.max(size, LEAST_GB);
}

/** The mount for storage on a pod's machine, if the body has one. */
export function persistentMount(fields: Fields, onCpus: boolean, fallback?: number) {
  if (onCpus) {
    fields.lost("volumeInGb", "CPU pods have no storage of their own: use a network volume");
    fields.ignore("volumeMountPath");
    return undefined;
  }
  const size = fields.integer("volumeInGb") ?? fallback;
  const path = fields.text("volumeMountPath");
  if (size === undefined && path !== undefined)
    fields.warn("volumeMountPath", "v2 changes the path together with the size: name volumeInGb too");
  if (size === undefined || size <= 0) return undefined;
  return { persistent: { size: volumeGb(fields, "volumeInGb", size), path: path ?? V1_DEFAULTS.volumeMountPath } };
}

/** Rounded up: v1 accepted any number of vCPUs, v2 only powers of two. */
export function vcpus(fields: Fields): number {
  const count = fields.integer("vcpuCount") ?? 2;
  const rounded = Math.max(2, 2 ** Math.ceil(Math.log2(Math.max(count, 1))));
  if (rounded !== count) fields.warn("vcpuCount", `v2 takes powers of two from 2: ${rounded} instead of ${count}`);
  return rounded;
}

/** CPU flavors and vCPU counts from instance ids such as `cpu3c-2-4`. */
export function instances(fields: Fields): { id: string; vcpuCount: number }[] {
  return (fields.list("instanceIds") ?? []).flatMap((instance) => {
    const [, id, count] = /^([^-]+)-(\d+)(?:-\d+)?$/.exec(instance) ?? [];
    if (id !== undefined && count !== undefined) return [{ id, vcpuCount: Number(count) }];
    fields.warn("instanceIds", "holds something that is not like cpu3c-2-4: it is left out");
    return [];
  });
}

/** A choice of CUDA versions; v2 takes a set or a floor. */
export function cuda(fields: Fields): Record<string, unknown> {
  const allowedCudaVersions = fields.list("allowedCudaVersions");
  const minCudaVersion = fields.text("minCudaVersion");
  if ((allowedCudaVersions ?? []).length === 0) return stated({ allowedCudaVersions, minCudaVersion });
  if (minCudaVersion !== undefined)
    fields.warn("minCudaVersion", "v2 takes a set of CUDA versions or a floor: the set is kept");
  return { allowedCudaVersions };
}

export function isOnCpus(fields: Fields): boolean {
  const type = fields.text("computeType");
  const names = (...list: readonly string[]) => list.some((name) => (fields.list(name) ?? []).length > 0);
  return type === undefined ? !names("gpuTypeIds") && names("cpuFlavorIds", "instanceIds") : type === "CPU";
}

/** Joins an argv to the single string that v2 takes. A POSIX shell splits it into the same words again. */
export const quoteArgv = (argv: readonly string[]): string => argv.map(quoteWord).join(" ");

const PLAIN = /^[\w@%+=:,./-]+$/;

const quoteWord = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
