import { RESERVED_PREFIX } from "../../common/presets";
import type { CheckFailure } from "../lifecycle/definition";
import type { Unknown } from "../lifecycle/fields/unknown";

type IsUnknown<Inputs> = (field: keyof Inputs) => Unknown;

/**
 * Which of some exclusive arguments are certainly given, and whether one is or may be. A preview can't tell whether a value that is
 * unknown as a whole will be there.
 */
export function exclusive<Inputs, Field extends keyof Inputs>(
  fields: readonly Field[],
  inputs: Inputs,
  isUnknown: IsUnknown<Inputs>,
): { readonly certain: readonly Field[]; readonly isAny: boolean } {
  const certain = fields.filter((field) => inputs[field] !== undefined || isUnknown(field) === "partly");
  return { certain, isAny: certain.length > 0 || fields.some((field) => isUnknown(field)) };
}

/** Requires exactly one of `gpu` and `cpu`. */
export function gpuOrCpu<Inputs extends { gpu?: unknown; cpu?: unknown }>(
  inputs: Inputs,
  isUnknown: IsUnknown<Inputs>,
): CheckFailure[] {
  const { certain, isAny } = exclusive(["gpu", "cpu"], inputs, isUnknown);
  if (!isAny) return [{ property: "gpu", reason: "is required, unless cpu is given" }];
  return certain.length > 1 ? [{ property: "cpu", reason: "can't be combined with gpu; remove one of them" }] : [];
}

/** Requires `image`, unless a template brings it. */
export function imageOrTemplate<Inputs extends { image?: unknown; templateId?: unknown }>(
  inputs: Inputs,
  isUnknown: IsUnknown<Inputs>,
): CheckFailure[] {
  const { isAny } = exclusive(["image", "templateId"], inputs, isUnknown);
  return isAny ? [] : [{ property: "image", reason: "is required, unless templateId is given" }];
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
