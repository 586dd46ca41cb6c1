import type { Client } from "../../client";
import { MOST_WORKERS } from "../../common/defaults";
import { isRecord } from "../../common/json";
import { z } from "../../common/zod";
import { containsUnknown, isUnknown, UNKNOWN } from "../lifecycle/fields/unknown";
import { ownMember, type Properties, withoutNullMembers } from "../lifecycle/fields/values";
import { ArgumentError } from "./caller";
import { estimate } from "./items";
import { cachingCaller, Prices } from "./prices";
import { Timetable } from "./schedule";
import { costArguments } from "./subjects";
import type { MonthlyCost, OwnPrices, Resource } from "./types";

export type Cost = MonthlyCost | { readonly unknown: string };

/** Estimates a month. Undefined for resources without a price of their own, and for those of other packages. */
export type Estimator = (resource: Resource) => Promise<Cost | undefined>;

/** An estimator with the catalog's prices. Each list of the catalog is requested at most once. */
export function createEstimator(client: Client, ownPrices: OwnPrices = {}, signal?: AbortSignal): Estimator {
  const prices = new Prices(client, cachingCaller(signal), new Map(Object.entries(ownPrices)));
  return async (resource) => {
    const priced = ownMember(PRICED, kindOf(resource.type) ?? "");
    if (priced === undefined) return undefined;
    const props = withTemplateDisk(resource);
    return sum(await Promise.all(priced(props).map((each) => costOf(each, prices))));
  };
}

const OURS = /^(?:pulumi-nodejs:dynamic\/computecloud|computecloud:index):([A-Za-z]\w*)$/;

/** Undefined for resources of other packages. */
export const kindOf = (type: string): string | undefined => OURS.exec(type)?.[1];

/** The container disk that the service was seen to give by default, in GB. */
const USUAL_DISK = { pod: 50, worker: 20 };

/** The known arguments, with the container disk of the template that they refer to. */
function withTemplateDisk({ props, propertyDependencies = {} }: Resource): Properties {
  const ownProps = withoutNullMembers(readable(props));
  const template = propertyDependencies.templateId?.find(({ type }) => kindOf(type) === "Template");
  if ((ownProps.disk !== undefined && !isUnknown(ownProps.disk)) || template === undefined) return ownProps;
  const { disk } = withoutNullMembers(readable(template.props));
  return disk === undefined || isUnknown(disk) ? ownProps : { ...ownProps, disk };
}

/** A copy without traps: in a policy during a preview, reading an unknown value throws. */
export function readable(props: Properties): Properties {
  return Object.fromEntries(Object.keys(props).map((key) => [key, readableMember(props, key)]));
}

function readableMember(of: object, key: PropertyKey): unknown {
  try {
    const value: unknown = Reflect.get(of, key);
    if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => readableMember(value, index));
    return isRecord(value) ? readable(value) : value;
  } catch {
    return UNKNOWN;
  }
}

/** The arguments on which a resource's price depends, under the name that `estimateCost` uses. */
type Subject = Readonly<Record<string, Properties>>;

type Priced = (props: Properties) => readonly Subject[];

/** The kinds with a price of their own: those whose definition says `priced`. */
const PRICED: Readonly<Record<string, Priced>> = {
  Pod: (props) => [{ pod: { disk: USUAL_DISK.pod, ...priced("pod", placed(props, "gpu", "id")) } }],
  Cluster: (props) => [
    { cluster: { disk: USUAL_DISK.pod, ...priced("cluster", placed(props, "compute", "gpuTypeId")) } },
  ],
  ServerlessEndpoint: (props) => [endpoint(props)],
  ServerlessContainer: (props) => [endpoint(props)],
  ServerlessFleet: fleet,
  NetworkVolume: (props) => [{ networkVolume: { ...priced("networkVolume", props), dataCenter: props.dataCenter } }],
};

/** What exists has the GPU type that the service had room for, and keeps it. */
function placed(props: Properties, part: "gpu" | "compute", type: string): Properties {
  const { gpuTypeId, [part]: hardware } = props;
  if (typeof gpuTypeId !== "string" || isUnknown(gpuTypeId) || !isRecord(hardware)) return props;
  return { ...props, [part]: { ...hardware, [type]: gpuTypeId }, gpuAlternatives: undefined };
}

function endpoint(props: Properties): Subject {
  const unknown = containsUnknown(props.schedule) ? { schedule: UNKNOWN } : {};
  return { endpoint: { disk: USUAL_DISK.worker, ...priced("endpoint", props), ...byBusiestWindow(props), ...unknown } };
}

/** The workers of an endpoint's most expensive window, as its arguments name them; nothing if its workers never change. */
function byBusiestWindow(props: Properties): Properties {
  const most = busiestWindow(props);
  if (most === undefined) return {};
  const { workersMin, workersMax } = most;
  return isRecord(props.workers) ? { workers: { min: workersMin, max: workersMax } } : { workersMin, workersMax };
}

/** The most workers that the schedule of an endpoint's arguments allows in a week, and from when on. */
export function busiestWindow(props: Properties): ReturnType<Timetable["busiest"]> {
  const { min = props.workersMin, max = props.workersMax } = isRecord(props.workers) ? props.workers : {};
  const ownWorkers = { workersMin: Number(min ?? 0), workersMax: Number(max ?? MOST_WORKERS) };
  return Timetable.of(props)?.busiest(ownWorkers, Date.now());
}

function fleet({ endpoints, defaults }: Properties): Subject[] {
  // The members are unknown, so one subject with an unknown stands for all of them.
  if (!isRecord(endpoints)) return [{ endpoint: { endpoints } }];
  return Object.values(endpoints).map((member) =>
    isRecord(member) ? endpoint({ ...(isRecord(defaults) && defaults), ...member }) : { endpoint: { member } },
  );
}

/** Only the arguments that affect the price, because any other argument may be unknown. */
function priced(subject: keyof typeof costArguments.shape, props: Properties): Properties {
  // A native resource has the disk as an output, so a preview doesn't know even one that nobody declares: the usual one counts.
  const counts = (key: string) => props[key] !== undefined && (key !== "disk" || !isUnknown(props.disk));
  const keys = Object.keys(costArguments.shape[subject].unwrap().shape).filter(counts);
  const picked = Object.fromEntries(keys.map((key) => [key, props[key]]));
  if (!isRecord(picked.mounts)) return picked;
  return { ...picked, mounts: picked.mounts.persistent === undefined ? {} : { persistent: picked.mounts.persistent } };
}

async function costOf(subject: Subject, prices: Prices): Promise<Cost> {
  try {
    const { networkVolume } = subject;
    const whole = networkVolume === undefined ? subject : { networkVolume: await withTier(networkVolume, prices) };
    const [props = {}] = Object.values(whole);
    const unknown = Object.keys(props).filter((key) => containsUnknown(props[key]));
    if (unknown.length > 0) return { unknown: `${unknown.join(", ")}: not known before the update` };
    const parsed = costArguments.safeParse(whole);
    if (!parsed.success) return { unknown: z.prettifyError(parsed.error) };
    const { monthly, monthlyMax, items } = await estimate(parsed.data, prices);
    // The first item is the first choice. Only the dearest one is beside it.
    const dearest = items.slice(1).flatMap(({ name, unit }) => (unit === "GB" ? [] : [name]));
    return { min: monthly, max: monthlyMax, ...(dearest.length > 0 && { dearest }) };
  } catch (error) {
    if (error instanceof ArgumentError) return { unknown: error.message.replace(/^[a-z]\w*\./i, "") };
    throw error;
  }
}

/**
 * Adds the tier. If it is omitted, the data center chooses it, which is certain only if it offers a single tier.
 *
 * @throws ArgumentError if it is not certain
 */
async function withTier({ dataCenter, ...volume }: Properties, prices: Prices): Promise<Properties> {
  if (volume.type !== undefined && !isUnknown(volume.type)) return volume;
  if (typeof dataCenter !== "string" || isUnknown(dataCenter)) return { ...volume, type: UNKNOWN };
  const [only, ...others] = await prices.tiersOf(dataCenter);
  if (only !== undefined && others.length === 0) return { ...volume, type: only };
  const choice = only === undefined ? "" : ` ${[only, ...others].join(" or ")}`;
  throw new ArgumentError("networkVolume.type", `the data center chooses${choice} where it is not declared`);
}

/** The sum; unknown if any part is unknown. */
export function sum(costs: readonly Cost[]): Cost {
  const unknown = costs.find((cost) => "unknown" in cost);
  if (unknown !== undefined) return unknown;
  const estimates = costs.flatMap((cost) => ("unknown" in cost ? [] : [cost]));
  const dearest = [...new Set(estimates.flatMap((cost) => cost.dearest ?? []))];
  return {
    min: estimates.reduce((total, { min }) => total + min, 0),
    max: estimates.reduce((total, { max }) => total + max, 0),
    ...(dearest.length > 0 && { dearest }),
  };
}
