import type { Command } from "@commander-js/extra-typings";
import {
  type CallOptions,
  type Client,
  commaParts,
  type GpuType,
  gpuChoice,
  type QuotaWindow,
  readQuotas,
} from "../../client";
import { inTimeAt } from "../../common/duration";
import { isRecord } from "../../common/json";
import { typeOfUrn } from "../../common/urn";
import { busiestTime, type Maximum, maximumOf, mostOf } from "../../provider/cost/endpoints";
import { kindOf } from "../../provider/cost/monthlyCost";
import { quotaText, type Share, shares, sumOf, type WorkerQuota, workerQuota } from "../../provider/cost/quota";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { readJson } from "../input";
import { explain, jsonOption } from "../output";
import { withClient } from "../withClient";
import { printReport, type ReportOf } from "./report";
import { type Change, type Part, readPreview, SIGNS } from "./steps";

/** An endpoint of the program, and its maximum of workers. */
interface PlannedEndpoint {
  readonly name: string;
  readonly change: Change | "job";
  readonly before: number;
  /** At the busiest time of the week. Undefined if it is not known before the update. */
  readonly after: number | undefined;
  /** Of a job: the wave that it is in. Waves of one `Waves` run one after another. */
  readonly wave?: { readonly name: string; readonly of: string };
  /** How much is free now of what its workers run on. Absent if it starts no workers, or if that is not known. */
  readonly stock?: string;
}

interface WorkerPlan {
  readonly quota: WorkerQuota;
  readonly endpoints: readonly PlannedEndpoint[];
  /** Endpoints of the account that are not in the preview. */
  readonly others: readonly Share[];
  /** When schedules allow the most workers, such as `mon 08:00 (Europe/Berlin)`. Absent if that is now. */
  readonly busiestFrom?: string;
  /** How many calls the run makes at least, and how many the account has left in each window of an hour or a day. */
  readonly calls: { readonly least: number; readonly left: readonly QuotaWindow[] };
  /** Sums of the maxima. `during` is for the run itself, and includes endpoints that it deletes at its end. */
  readonly sum: { readonly before: number; readonly during: number; readonly after: number };
  /** What exceeds the quota, and the way out. */
  readonly problems: readonly string[];
  /** What may fail. */
  readonly hints: readonly string[];
}

/**
 * Compares a preview with the account's quota of workers and the service's stock. Other runs may change both before the
 * deployment.
 *
 * @param document output of `pulumi preview --json`
 * @throws PreviewError if the document is not a preview
 */
async function planOf(document: unknown, client: Client, options: CallOptions = {}): Promise<WorkerPlan> {
  const { steps, parents } = readPreview(document);
  const [quota, all, { data: gpus, response }] = await Promise.all([
    workerQuota(client, options),
    shares(client, options),
    client.withResponse((responseOptions) =>
      client.catalog.gpus({ include: ["AVAILABILITY"], product: ["SERVERLESS"] }, { ...options, ...responseOptions }),
    ),
  ]);
  const left = readQuotas(response?.headers.ratelimit?.toString()).filter(
    ({ name }) => name === "hour" || name === "day",
  );
  const live = new Map(all.map((each) => [each.id, each]));
  const parts = steps.flatMap((step) => step.parts);
  const planned = steps.flatMap(({ kind, name, urn, change, parts }): Planned[] => {
    const [part] = parts;
    if (kind === "SmokeJob" || kind === "SmokeRequest")
      return awake(name, change, part?.after?.props.workersMax, waveOf(urn, parents));
    return parts.flatMap((part) => (kind.startsWith("Serverless") ? endpointIn(part, live) : []));
  });
  // The engine lists steps in no fixed order.
  planned.sort((a, b) => (a.endpoint.name < b.endpoint.name ? -1 : 1));
  const now = Date.now();
  const busiest = busiestTime(planned, now);
  const endpoints = planned.map(({ endpoint, props, most }): PlannedEndpoint => {
    const after = most(busiest.at);
    const stock = after === 0 ? undefined : stockOf(props, gpus);
    return { ...endpoint, after, ...(stock !== undefined && { stock }) };
  });
  const seen = new Set(parts.map(({ id }) => id));
  const others = all.filter(({ id, workersMax }) => !seen.has(id) && workersMax > 0);
  // The engine deletes at the end of a run.
  const maxima = planned.map(({ endpoint: { change, before }, most }) => {
    const after = change === "job" ? 0 : (most(now) ?? 0);
    return change === "replace" ? before + after : Math.max(before, after);
  });
  const jobs = atATime(endpoints.filter(({ change }) => change === "job"));
  const during = maxima.reduce((sum, each) => sum + each, jobs);
  const least = parts.reduce((sum, part) => sum + callsOf(part), 0);
  return judged({ quota, endpoints, others, busiestFrom: busiest.from, during, calls: { least, left } });
}

/** An endpoint of the preview, and the most workers that it may have at a time. */
interface Planned extends Maximum {
  readonly endpoint: Pick<PlannedEndpoint, "name" | "change" | "before" | "wave">;
  readonly props: Properties;
}

/** What the account has or gets of an endpoint: a fleet whose members are not known yet has none. */
function endpointIn({ name, change, id, before: old, after: next }: Part, live: ReadonlyMap<string, Share>): Planned[] {
  if (kindOf((next ?? old)?.type ?? "") === "ServerlessFleet") return [];
  const before = old === undefined ? 0 : (live.get(id ?? "")?.workersMax ?? mostOf(old.props) ?? 0);
  const props = next?.props ?? {};
  const { timetable, most } = maximumOf(props, before);
  const staysAt = next === undefined ? 0 : change === "keep" ? before : undefined;
  return [{ endpoint: { name, change, before }, props, timetable, most: (at) => staysAt ?? most(at) }];
}

/** The candidate of a gate has workers while the gate's job runs. */
function awake(name: string, change: Change, workersMax: unknown, wave: PlannedEndpoint["wave"]): Planned[] {
  const runs = change === "create" || change === "update" || change === "replace";
  if (!runs || typeof workersMax !== "number") return [];
  const endpoint = { name: `${name}, while it is tried`, change: "job" as const, before: 0 };
  return [{ endpoint: { ...endpoint, ...(wave !== undefined && { wave }) }, props: {}, most: () => workersMax }];
}

/** The wave above a resource. Undefined without one, or where the preview does not list its unchanged parents. */
function waveOf(urn: string, parents: ReadonlyMap<string, string | undefined>): PlannedEndpoint["wave"] {
  const parent = parents.get(urn);
  if (parent === undefined) return undefined;
  const of = parents.get(parent);
  return typeOfUrn(parent) === WAVE && of !== undefined ? { name: parent, of } : waveOf(parent, parents);
}

const WAVE = "computecloud:index:Wave";

/** The most workers that jobs have at a time: those of the largest wave of each `Waves`, and all others. */
function atATime(jobs: readonly PlannedEndpoint[]): number {
  const sums = new Map<string | undefined, Map<string, number>>();
  for (const { wave, name, after = 0 } of jobs) {
    const waves = sums.get(wave?.of) ?? new Map<string, number>();
    const key = wave?.name ?? name;
    sums.set(wave?.of, waves.set(key, (waves.get(key) ?? 0) + after));
  }
  const alone = [...(sums.get(undefined)?.values() ?? [])];
  const largest = [...sums].flatMap(([of, waves]) => (of === undefined ? [] : [Math.max(...waves.values())]));
  return [...alone, ...largest].reduce((sum, each) => sum + each, 0);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const LEVELS = ["NONE", "LOW", "MEDIUM", "HIGH"];

/** The current stock, by pool. Undefined for CPU workers, and if pools are not known. */
function stockOf({ gpu, gpuIds, dataCenterIds, locations }: Properties, gpus: readonly GpuType[]): string | undefined {
  const choice: Properties = isRecord(gpu) ? gpu : gpuChoice(String(gpuIds ?? ""));
  const [named = [], excluded = []] = [choice.pools, choice.excludedTypes].map(listOf);
  const places = Array.isArray(dataCenterIds) ? dataCenterIds : commaParts(String(locations ?? ""));
  const pools = [...new Set(gpus.map(({ pool }) => pool))].filter((pool) => named.includes(pool));
  const levels = pools.map((pool) => {
    const free = gpus
      .filter((type) => type.pool === pool && !excluded.includes(type.id))
      .flatMap(({ availability = "NONE", dataCenters = [] }) =>
        places.length === 0
          ? [availability]
          : dataCenters.filter(({ id }) => places.includes(id)).map((place) => place.availability ?? "NONE"),
      );
    return { pool, level: Math.max(0, ...free.map((each) => LEVELS.indexOf(each))) };
  });
  return levels.length === 0 ? undefined : levels.map(({ pool, level }) => `${pool} ${LEVELS[level]}`).join(", ");
}

/** Changes that may send nothing but reads. One that is adopted may be as it is declared. */
const UNSENT: readonly Change[] = ["adopt", "keep", "same"];
/** How many calls a change sends at least, reads left out. */
const callsOf = ({ change, before }: Part) =>
  UNSENT.includes(change) ? 0 : change === "replace" && before !== undefined ? 2 : 1;

type Found = Pick<WorkerPlan, "quota" | "endpoints" | "others" | "calls"> & {
  readonly busiestFrom: string | undefined;
  during: number;
};

function judged({ quota, endpoints, others, calls, busiestFrom, during }: Found): WorkerPlan {
  const rest = sumOf(others);
  const total = (of: (each: PlannedEndpoint) => number) => rest + endpoints.reduce((sum, each) => sum + of(each), 0);
  const sum = {
    before: total(({ before }) => before),
    during: rest + during,
    after: total(({ change, after = 0 }) => (change === "job" ? 0 : after)),
  };
  const { limit } = quota;
  const over = limit === undefined ? 0 : sum.after - limit;
  const overMeanwhile = limit === undefined ? 0 : sum.during - limit;
  const grows = endpoints
    .filter(({ change }) => change !== "job")
    .map(({ name, before, after = 0 }) => ({ name, by: after - before, after }))
    .filter(({ by }) => by > 0)
    .toSorted((a, b) => b.by - a.by)[0];
  const lower =
    grows === undefined
      ? "Lower the maximum of one of them."
      : over <= grows.after
        ? `Lower the maximum of ${grows.name} to ${grows.after - over}, or others by ${over} together.`
        : `Lower the maxima of ${grows.name} and others by ${over} together.`;
  const when = busiestFrom === undefined ? "" : ` from ${busiestFrom} on`;
  const empty = endpoints.filter(({ stock }) => stock?.split(", ").every((pool) => pool.endsWith(" NONE")));
  const unknown = endpoints.filter(({ after }) => after === undefined);
  return {
    quota,
    endpoints,
    others,
    calls,
    ...(busiestFrom !== undefined && { busiestFrom }),
    sum,
    problems:
      over > 0 ? [`The endpoints ask for ${sum.after} workers${when}, and the quota is ${limit}. ${lower}`] : [],
    hints: [
      ...(over <= 0 && overMeanwhile > 0
        ? [
            `During the run up to ${sum.during} workers are asked for, and the quota is ${limit}: endpoints that are replaced, ` +
              "deleted or tried count until they are deleted. Make those changes in a run of their own. The waves of `Waves` " +
              "count one after another in `pulumi preview --json --show-sames`.",
          ]
        : []),
      ...calls.left.flatMap(({ name, remaining, resetSeconds }) =>
        calls.least <= remaining
          ? []
          : [
              `The run makes at least ${calls.least} calls, and ${remaining} are left of this ${name}. It stops when they are used ` +
                `up; \`pulumi up\` ${inTimeAt(resetSeconds * 1000)}, goes on where it stopped.`,
            ],
      ),
      ...empty.map(({ name, stock }) => `${name} would find no machine now: ${stock}. Add pools or data centers.`),
      ...unknown.map(
        ({ name }) => `The maximum of ${name} is not known before the update, so the sum does not include it.`,
      ),
      ...(limit === undefined ? ["The account's quota could not be read: the key may not read the account."] : []),
      ...(quota.source === "balance" ? ["The quota was derived from the balance, as the service documents it."] : []),
    ],
  };
}

function reportOfPlan({ endpoints, others, calls, busiestFrom, sum, quota, problems, hints }: WorkerPlan): ReportOf {
  return (escapeText) => ({
    title: `Workers: ${sum.before} → ${sum.after} of ${quota.limit ?? "an unknown quota"}`,
    rows: [
      ["", "endpoint", "before", "after", "free now"],
      ...endpoints.map(({ change, name, before, after, stock = "" }) => [
        change === "job" ? "" : SIGNS[change],
        `${escapeText(name)}${change === "keep" ? ", outside the stack" : ""}`,
        `${before}`,
        `${after ?? "unknown"}`,
        stock,
      ]),
      ...(others.length === 0
        ? []
        : [["", `${others.length} unchanged or not of this program`, `${sumOf(others)}`, `${sumOf(others)}`, ""]]),
      [
        "",
        `most workers, all together${busiestFrom === undefined ? "" : `, from ${busiestFrom}`}`,
        `${sum.before}`,
        `${sum.after}`,
        "",
      ],
      ["", quotaText(quota), "", `${quota.limit ?? "unknown"}`, ""],
      ["", "calls of the run, at least", "", `${calls.least}`, ""],
      ...calls.left
        .filter(({ name }) => name === "day")
        .map(({ remaining }) => ["", "calls left of this day", "", `${remaining}`, ""]),
    ],
    figures: [2, 3],
    verdict: "Not possible",
    problems: problems.map(escapeText),
    notes: hints.map(escapeText),
  });
}

export function plan(command: Command): void {
  explain(command, {
    examples: ["plan < preview.json", "plan --markdown preview.json >> comment.md"],
    fails: "the endpoints ask for more workers than the account may have",
    connects: true,
  });
  command
    .description(
      "Compares the most workers of a preview's endpoints, and of the account's other endpoints, with the account's quota. Shows " +
        "the free stock of their pools. Give the output of `pulumi preview --json`.",
    )
    .argument("[file]", "the preview; standard input unless named", "-")
    .option("--markdown", "print a comment for a pull request")
    .option(...jsonOption)
    .action(async (file, options) => {
      const document = await readJson(file, "`pulumi preview --json`");
      const report = await withClient((client, signal) => planOf(document, client, { signal }));
      printReport(reportOfPlan(report), report, options, report.problems.length > 0);
    });
}
