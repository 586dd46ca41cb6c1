import { isObject } from "../lifecycle/values";
import type { Reference } from "./account";

/** What the states of other providers hold. */
export interface Held {
  readonly references: readonly Reference[];
  /** Addresses of what has no kind here, each with its type. */
  readonly others: readonly { readonly address: string; readonly type: string }[];
}

/** The Terraform provider's types, of 1.x and 2.x. */
const TERRAFORM: Readonly<Record<string, string>> = {
  runpod_pod: "Pod",
  runpod_cluster: "Cluster",
  runpod_endpoint: "ServerlessEndpoint",
  runpod_serverless: "ServerlessEndpoint",
  runpod_template: "Template",
  runpod_network_volume: "NetworkVolume",
  runpod_container_registry_auth: "Registry",
  runpod_registry: "Registry",
  runpod_ecr_delegation: "EcrDelegation",
};

/** The official Pulumi provider's types, and those of the bridged one. */
const PULUMI: Readonly<Record<string, string>> = {
  Pod: "Pod",
  Cluster: "Cluster",
  Endpoint: "ServerlessEndpoint",
  Template: "Template",
  NetworkStorage: "NetworkVolume",
  NetworkVolume: "NetworkVolume",
  ContainerRegistryAuth: "Registry",
  EcrDelegation: "EcrDelegation",
};

/** @param state what `terraform state pull` prints, or a terraform.tfstate */
export function heldByTerraform(state: unknown): Held {
  if (!isObject(state) || !Array.isArray(state.resources)) throw new Error("this is no Terraform state");
  return held(
    state.resources.filter(isObject).flatMap(({ mode, module: path, type, name, instances }) => {
      if (mode !== "managed" || typeof type !== "string" || !type.startsWith("runpod_")) return [];
      return list(instances).map((instance) => {
        const attributes = isObject(instance) && isObject(instance.attributes) ? instance.attributes : {};
        const address = [path, type, name].filter((part) => part !== undefined).join(".");
        return { address, type, kind: TERRAFORM[type], id: attributes.id };
      });
    }),
  );
}

/** @param state what `pulumi stack export` prints */
export function heldByPulumi(state: unknown): Held {
  const deployment = isObject(state) && isObject(state.deployment) ? state.deployment : undefined;
  if (deployment === undefined) throw new Error("this is not what `pulumi stack export` prints");
  return held(
    list(deployment.resources)
      .filter(isObject)
      .flatMap(({ urn, type, id, outputs }) => {
        const [, name] = /^runpod:[^:]+:(\w+)$/.exec(String(type)) ?? [];
        if (name === undefined) return [];
        const kind = PULUMI[name];
        return [{ address: String(urn), type: String(type), kind, id: idIn(outputs, name) ?? id }];
      }),
  );
}

/** The official provider's resource id is the logical name; the service's is inside an output named like the type. */
function idIn(outputs: unknown, type: string): unknown {
  const output = type.slice(0, 1).toLowerCase() + type.slice(1);
  const inner = isObject(outputs) ? outputs[output] : undefined;
  return isObject(inner) ? inner.id : undefined;
}

function held(found: readonly { address: string; type: string; kind: string | undefined; id: unknown }[]): Held {
  const isKnown = ({ kind, id }: (typeof found)[number]) => kind !== undefined && typeof id === "string" && id !== "";
  return {
    references: found.filter(isKnown).map(({ kind = "", id }) => ({ kind, id: String(id) })),
    others: found.filter((each) => !isKnown(each)).map(({ address, type }) => ({ address, type })),
  };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
