import { RESERVED_PREFIX } from "../../common/presets";
import type { CheckFailure } from "../lifecycle/definition";

type IsUnknown<Inputs> = (field: keyof Inputs) => boolean;

/** Requires exactly one of `gpu` and `cpu`. An unknown one counts as given. */
export function gpuOrCpu<Inputs extends { gpu?: unknown; cpu?: unknown }>(
  inputs: Inputs,
  isUnknown: IsUnknown<Inputs>,
): CheckFailure[] {
  const [first, second] = (["gpu", "cpu"] as const).filter((field) => inputs[field] !== undefined || isUnknown(field));
  if (first === undefined) return [{ property: "gpu", reason: "is required, unless cpu is given" }];
  return second ? [{ property: "cpu", reason: "can't be combined with gpu; remove one of them" }] : [];
}

/** Requires `image`, unless a template brings it. */
export function imageOrTemplate<Inputs extends { image?: unknown; templateId?: unknown }>(
  inputs: Inputs,
  isUnknown: IsUnknown<Inputs>,
): CheckFailure[] {
  const hasEither = (["image", "templateId"] as const).some((field) => inputs[field] !== undefined || isUnknown(field));
  return hasEither ? [] : [{ property: "image", reason: "is required, unless templateId is given" }];
}

interface CudaChoice {
  readonly allowedCudaVersions?: readonly string[] | undefined;
  readonly minCudaVersion?: string | undefined;
}

/** A set of versions and a minimum exclude each other. An empty set allows any version. */
export function oneCudaChoice(gpu: CudaChoice | undefined): CheckFailure[] {
  const both = gpu?.minCudaVersion !== undefined && (gpu.allowedCudaVersions ?? []).length > 0;
  return both
    ? [{ property: "gpu.minCudaVersion", reason: "can't be combined with gpu.allowedCudaVersions; remove one of them" }]
    : [];
}

/** The service accepts only powers of two. */
export function powerOfTwo(property: string, vcpuCount: number | undefined): CheckFailure[] {
  if (vcpuCount === undefined || Number.isInteger(Math.log2(vcpuCount))) return [];
  return [{ property, reason: `must be a power of two such as 2, 4 or 8, not ${vcpuCount}` }];
}

/** The service removes spaces around a text, which would then differ from the declared one in every run. */
export function trimmed(property: string, text: string | undefined): CheckFailure[] {
  if (text === undefined || text === text.trim()) return [];
  return [{ property, reason: "must not begin or end with a space: the service removes it" }];
}

/** @param separator what ends the prefix */
export function notReserved(property: string, text: string | undefined, separator = ""): CheckFailure[] {
  const prefix = RESERVED_PREFIX + separator;
  if (!text?.toUpperCase().startsWith(prefix)) return [];
  return [
    { property, reason: `must not begin with ${prefix} in upper or lower case: the service reserves this prefix` },
  ];
}
