import { isRecord, parseJson } from "../../common/json";
import { ownMember } from "../../provider/lifecycle/fields/values";
import { type Adoptee, adoptees, type ReferencedId } from "./account";

export interface Held {
  readonly references: readonly ReferencedId[];
  /** Addresses of resources that can't be adopted, each with the reason. */
  readonly others: readonly { readonly address: string; readonly why: string }[];
}

/**
 * Our kinds by the types of other providers, without their prefix and in Pulumi's spelling. It covers the Terraform provider,
 * whose version 2 renamed three types, the Pulumi provider bridged from it, and both official Pulumi providers.
 */
const KINDS: ReadonlyMap<string, Adoptee> = new Map(
  adoptees.flatMap((adoptee) =>
    [adoptee.kind, ...(adoptee.adoption.elsewhere ?? [])].map((name) => [name, adoptee] as const),
  ),
);

const PREFIX = "runpod_";

/**
 * @param state what `terraform state pull` prints, or a terraform.tfstate
 * @throws Error for any other document
 */
export function heldByTerraform(state: unknown): Held {
  if (!isRecord(state) || !Array.isArray(state.resources))
    throw new Error("this is not a Terraform state: give what `terraform state pull` prints");
  return held(
    state.resources.filter(isRecord).flatMap(({ mode, module: path, type, name, instances }) => {
      if (mode !== "managed" || typeof type !== "string" || !type.startsWith(PREFIX)) return [];
      // A deposed instance was replaced and awaits its deletion.
      const present = list(instances)
        .filter(isRecord)
        .filter(({ deposed }) => deposed === undefined);
      return present.map(({ attributes, index_key: index }) => {
        const address = [path, type, name].filter((part) => part !== undefined).join(".");
        return {
          address: index === undefined ? address : `${address}[${JSON.stringify(index)}]`,
          type,
          kind: KINDS.get(pascalCase(type.slice(PREFIX.length))),
          id: isRecord(attributes) ? attributes.id : undefined,
        };
      });
    }),
  );
}

/**
 * @param state what `pulumi stack export` prints
 * @throws Error for any other document, and when the ids in it are encrypted
 */
export function heldByPulumi(state: unknown): Held {
  const deployment = isRecord(state) && isRecord(state.deployment) ? state.deployment : undefined;
  if (deployment === undefined) throw new Error("this is not a Pulumi state: give what `pulumi stack export` prints");
  return held(
    list(deployment.resources)
      .filter(isRecord)
      .flatMap(({ urn, type, id, outputs, delete: isReplaced }) => {
        const [, name] = /^runpod:[^:]+:(\w+)$/.exec(String(type)) ?? [];
        if (name === undefined || isReplaced === true) return [];
        return [{ address: String(urn), type: String(type), kind: KINDS.get(name), id: idIn(outputs, name) ?? id }];
      }),
  );
}

/**
 * Reads the manifest, not Flash's own state. That is a Python pickle, and opening an untrusted pickle runs its code.
 *
 * @param manifest the `.flash/flash_manifest.json` of the vendor's Flash, to which `flash deploy` adds the endpoints' ids
 * @throws Error for any other document
 */
export function heldByFlash(manifest: unknown): Held {
  if (!isRecord(manifest) || !isRecord(manifest.resources))
    throw new Error("this is not a Flash manifest: give the .flash/flash_manifest.json that `flash deploy` wrote");
  const entries = Object.entries(manifest.resources).flatMap(([name, resource]) =>
    isRecord(resource) ? [{ name, resource }] : [],
  );
  const volumes = entries.flatMap(({ resource: { networkVolumeId, networkVolume, networkVolumes } }) => {
    const described = [networkVolume, ...list(networkVolumes)].filter(isRecord).map(({ id }) => id);
    return [networkVolumeId, ...described].filter(isId);
  });
  const endpoints = entries.map(({ name, resource }) => ({ name, id: resource.endpoint_id }));
  return {
    references: [
      ...[...new Set(volumes)].map((id) => ({ kind: "NetworkVolume", id })),
      ...endpoints.flatMap(({ id }) => (isId(id) ? [{ kind: "ServerlessEndpoint", id }] : [])),
    ],
    others: endpoints
      .filter(({ id }) => !isId(id))
      .map(({ name }) => ({ address: name, why: "has no endpoint_id: it was not deployed from this folder" })),
  };
}

/** The first Pulumi provider's resource id is the logical name. The service's id is inside an output named like the type. */
function idIn(outputs: unknown, type: string): unknown {
  const output = type.slice(0, 1).toLowerCase() + type.slice(1);
  const inner = isRecord(outputs) ? unwrapSecret(ownMember(outputs, output)) : undefined;
  return isRecord(inner) ? inner.id : undefined;
}

/** Unwraps a secret output: outputs that derive from a secret are secret too. */
function unwrapSecret(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (typeof value.plaintext === "string") return parseJson(value.plaintext);
  if (typeof value.ciphertext !== "string") return value;
  throw new Error("the ids in this state are encrypted; print it with `pulumi stack export --show-secrets`");
}

function held(resources: readonly { address: string; type: string; kind: Adoptee | undefined; id: unknown }[]): Held {
  const references: ReferencedId[] = [];
  const others: { address: string; why: string }[] = [];
  for (const { address, type, kind, id } of resources) {
    const referenceId = kind?.adoption.only?.id ?? id;
    if (kind !== undefined && isId(referenceId)) references.push({ kind: kind.kind, id: referenceId });
    else others.push({ address, why: `${type} has no equivalent` });
  }
  return { references, others };
}

const isId = (id: unknown): id is string => typeof id === "string" && id !== "";

const pascalCase = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
