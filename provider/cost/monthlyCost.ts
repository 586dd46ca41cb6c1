import { z } from "zod";
import type { Client } from "../client";
import { estimate } from "../functions/costItems";
import { costArguments } from "../functions/costSubjects";
import { ArgumentError, type Caller } from "../functions/definition";
import { Prices } from "../functions/prices";
import { containsUnknown } from "../lifecycle/unknown";
import { isObject, type Properties, withoutNullMembers } from "../lifecycle/values";
import type { MonthlyCost, Resource } from "./types";

/** Or why it can't be told. */
export type Cost = MonthlyCost | { readonly unknown: string };

/** Estimates with the catalog's prices, each list of which is asked for once. */
export interface Estimator {
  /** Undefined for what costs nothing by itself, and for resources of other packages. */
  monthly(resource: Resource): Promise<Cost | undefined>;
}

export function createEstimator(client: Client, signal: AbortSignal = new AbortController().signal): Estimator {
  const asked = new Map<string, Promise<unknown>>();
  const caller: Caller = {
    signal,
    share: <T>(key: string, load: (signal: AbortSignal) => Promise<T>) => {
      const answer = (asked.get(key) as Promise<T> | undefined) ?? load(signal);
      asked.set(key, answer);
      return answer;
    },
  };
  const prices = new Prices(client, caller);
  return {
    monthly: async ({ type, props }) => {
      const priced = PRICED.get(kindOf(type) ?? "");
      return priced && sum(await Promise.all(priced(withoutNullMembers(props)).map((each) => costOf(each, prices))));
    },
  };
}

const OURS = /^(?:pulumi-nodejs:dynamic\/computecloud|computecloud:index):(\w+)$/;

/** Undefined for resources of other packages. */
export function kindOf(type: string): string | undefined {
  return OURS.exec(type)?.[1];
}

/** What is priced of a resource: the arguments that its price depends on, under the name that `estimateCost` has. */
type Subject = Readonly<Record<string, Properties>>;

const PRICED: ReadonlyMap<string, (props: Properties) => readonly Subject[]> = new Map<
  string,
  (props: Properties) => readonly Subject[]
>([
  ["Pod", (props) => [{ pod: pick(props, ["gpu", "cpu", "cloud", "disk", "mounts", "desiredStatus"]) }]],
  ["Cluster", (props) => [{ cluster: pick(props, ["compute", "disk", "mounts"]) }]],
  ["ServerlessEndpoint", (props) => [endpoint(props)]],
  ["ServerlessContainer", (props) => [endpoint(props)]],
  ["ServerlessFleet", fleet],
  ["NetworkVolume", (props) => [{ networkVolume: pick(props, ["size", "type"]) }]],
]);

function endpoint(props: Properties): Subject {
  return { endpoint: pick(props, ["gpuIds", "gpuCount", "workersMin", "workersMax", "gpu", "cpu", "workers", "disk"]) };
}

function fleet({ endpoints, defaults }: Properties): Subject[] {
  // Which members there are is not known: one subject stands for them.
  if (!isObject(endpoints)) return [{ endpoint: { endpoints } }];
  return Object.values(endpoints).map((member) =>
    isObject(member) ? endpoint({ ...(isObject(defaults) && defaults), ...member }) : { endpoint: { member } },
  );
}

/** Without what says nothing about the price, and may be unknown for that. */
function pick(props: Properties, keys: readonly string[]): Properties {
  const picked = Object.fromEntries(keys.flatMap((key) => (props[key] === undefined ? [] : [[key, props[key]]])));
  if (!isObject(picked.mounts)) return picked;
  return { ...picked, mounts: picked.mounts.persistent === undefined ? {} : { persistent: picked.mounts.persistent } };
}

async function costOf(subject: Subject, prices: Prices): Promise<Cost> {
  const [props = {}] = Object.values(subject);
  const unknown = Object.keys(props).filter((key) => containsUnknown(props[key]));
  if (unknown.length > 0) return { unknown: `${unknown.join(", ")}: not known before the update` };
  const given = costArguments.safeParse(subject);
  if (!given.success) return { unknown: z.prettifyError(given.error) };
  try {
    const { monthly, monthlyMax } = await estimate(given.data, prices);
    return { min: monthly, max: monthlyMax };
  } catch (error) {
    if (error instanceof ArgumentError) return { unknown: error.message.replace(/^[a-z]\w*\./i, "") };
    throw error;
  }
}

/** Unknown as soon as a part is. */
export function sum(costs: readonly Cost[]): Cost {
  const unknown = costs.find((cost) => "unknown" in cost);
  if (unknown !== undefined) return unknown;
  return costs.reduce<MonthlyCost>(
    (total, cost) => ("unknown" in cost ? total : { min: total.min + cost.min, max: total.max + cost.max }),
    { min: 0, max: 0 },
  );
}
