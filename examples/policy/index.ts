import { PolicyPack, type ReportViolation, type ResourceValidationArgs } from "@pulumi/policy";
import { monthlyCost, workerDemand } from "pulumi-computecloud/cost";

type Properties = Record<string, unknown>;

const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `Pod`, `NetworkVolume`, …; undefined for resources of other packages. */
function kindOf({ type }: { type: string }): string | undefined {
  return /^(?:pulumi-nodejs:dynamic\/computecloud|computecloud:index):(\w+)$/.exec(type)?.[1];
}

/** A rule of the package's resources and of a fleet's members, each of which is told with the path of its argument. */
function rule(check: (part: Part, report: ReportViolation, args: ResourceValidationArgs, kind: string) => void) {
  return (args: ResourceValidationArgs, report: ReportViolation): void => {
    const kind = kindOf(args);
    if (kind !== undefined) for (const part of partsOf(args.props)) check(part, report, args, kind);
  };
}

interface Part {
  /** Stands before the names of its arguments. */
  readonly path: string;
  readonly props: Properties;
}

/** A resource's own arguments, and those of each endpoint of a fleet. */
function partsOf(props: Properties): Part[] {
  const { endpoints, defaults } = props;
  if (!isObject(endpoints)) return [{ path: "", props }];
  return Object.entries(endpoints).map(([name, member]) => ({
    path: `endpoints.${name}.`,
    props: { ...(isObject(defaults) && defaults), ...(isObject(member) && member) },
  }));
}

/** Least and most workers of an endpoint in each window of its schedule, by the paths of the arguments that say so. */
function workersOf({ path, props }: Part) {
  const { workers, schedule } = props;
  const numbers = (at: string, { workersMin = 0, workersMax = 3 }: Properties) => ({
    min: [`${at}workersMin`, workersMin],
    max: [`${at}workersMax`, workersMax],
  });
  const usual = isObject(workers)
    ? { min: [`${path}workers.min`, workers.min ?? 0], max: [`${path}workers.max`, workers.max ?? 3] }
    : numbers(path, props);
  if (!isObject(schedule)) return [usual];
  // A merge request in the evening is judged by the workers of the morning, too.
  const { rules, otherwise } = schedule;
  return [
    ...(Array.isArray(rules) ? rules : []).map((rule, index) => numbers(`${path}schedule.rules[${index}].`, rule)),
    isObject(otherwise) ? numbers(`${path}schedule.otherwise.`, otherwise) : usual,
  ];
}

interface Budget {
  readonly usd: number;
  /** In place of the catalog's, or where it has none: `{ "HIGH_PERFORMANCE": 0.14 }`, USD a GB and month. */
  readonly prices: Readonly<Record<string, number>>;
  /** Whether a resource whose price is not known passes. */
  readonly allowUnknown: boolean;
}

const ENDPOINTS = new Set(["ServerlessEndpoint", "ServerlessContainer", "ServerlessFleet"]);
const CREDENTIAL = /secret|token|passw(or)?d|api_?key|private_?key|credential/i;
/** `{{ …_SECRET_name }}`: the service resolves it inside the container. */
const REFERENCE = /^\{\{\s*\w+_SECRET_[^\s{}]+\s*\}\}$/;

new PolicyPack("computecloud", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "budget",
      description: "What is always on must stay within the budget of a month.",
      configSchema: {
        properties: {
          usd: { type: "number", default: 1000 },
          prices: { type: "object", additionalProperties: { type: "number" }, default: {} },
          allowUnknown: { type: "boolean", default: false },
        },
      },
      validateStack: async ({ resources, getConfig }, report) => {
        const { usd, prices, allowUnknown } = getConfig<Budget>();
        const { min, resources: priced, unknown } = await monthlyCost(resources, undefined, prices);
        for (const { resource, reason } of allowUnknown ? [] : unknown)
          report(
            `the price of ${resource.name} is not known, so the budget can't be checked (${reason}). Give it in prices, ` +
              "or set allowUnknown.",
          );
        const [most] = priced;
        if (min <= usd || most === undefined) return;
        const { name = "", type } = most.resource;
        report(
          `the stack costs $${min.toFixed(2)} a month, and its budget is $${usd}. Most of it, $${most.min.toFixed(2)}, is ` +
            `${name}: look at its ${PRICED[kindOf({ type }) ?? ""]}.`,
        );
      },
    },
    {
      name: "workers-at-most",
      description: "No endpoint may start more workers than agreed.",
      configSchema: { properties: { most: { type: "integer", default: 10 } } },
      validateResource: rule((part, report, args, kind) => {
        if (!ENDPOINTS.has(kind)) return;
        const { most } = args.getConfig<{ most: number }>();
        for (const [path, workers] of workersOf(part).map(({ max }) => max))
          if (Number(workers) > most) report(`${path} is ${workers}, and at most ${most} workers are agreed.`);
      }),
    },
    {
      name: "workers-quota",
      description: "The workers of all endpoints together stay within the account's quota.",
      // What this run deletes counts until its end, so a sum above the quota may still be had.
      enforcementLevel: "advisory",
      validateStack: async ({ resources }, report) => {
        const demand = await workerDemand(resources);
        if (demand?.quota === undefined) return;
        const { stack, others, quota, endpoints } = demand;
        const over = stack + others - quota;
        const [most] = endpoints;
        if (over <= 0 || most === undefined) return;
        report(
          `the stack's endpoints ask for ${stack} workers, and others of the account for ${others}: the quota is ${quota}. ` +
            `Lower the maximum of ${most.name}, which is ${most.workersMax}, or others by ${over} together.`,
        );
      },
    },
    {
      name: "always-on-by-name",
      description: "Workers that are always on need a resource that says so by its name.",
      configSchema: { properties: { tag: { type: "string", default: "always-on" } } },
      validateResource: rule((part, report, args, kind) => {
        const { tag } = args.getConfig<{ tag: string }>();
        const names = [args.name, part.path, part.props.name].join(" ");
        if (!ENDPOINTS.has(kind) || names.includes(tag)) return;
        for (const [path, workers] of workersOf(part).map(({ min }) => min))
          if (Number(workers) > 0)
            report(`${path} is ${workers}: workers are always on only where the name holds "${tag}".`);
      }),
    },
    {
      name: "secure-cloud",
      description: "Pods run in the SECURE cloud.",
      validateResource: rule(({ props }, report) => {
        if (props.cloud === "COMMUNITY") report("cloud is COMMUNITY, where other people's machines are used.");
      }),
    },
    {
      name: "pinned-images",
      description: "Images have a tag other than latest, or a digest.",
      validateResource: rule(({ path, props: { image } }, report) => {
        if (typeof image !== "string" || /@sha256:[0-9a-f]{64}$/.test(image)) return;
        const tag = /:([\w.-]+)$/.exec(image)?.[1];
        if (tag === undefined || tag === "latest")
          report(`${path}image is ${image}: give it a tag other than latest, or a digest.`);
      }),
    },
    {
      name: "no-secrets-in-env",
      description: "Credentials reach containers as references to the service's secrets, which nobody can read there.",
      validateResource: rule(({ path, props: { env } }, report) => {
        for (const [key, value] of Object.entries(isObject(env) ? env : {}))
          if (CREDENTIAL.test(key) && !REFERENCE.test(String(value)))
            report(`${path}env.${key} looks like a credential: refer to a secret of the service instead.`);
      }),
    },
  ],
});

/** What a kind's price depends on. */
const PRICED: Record<string, string> = {
  Pod: "gpu, cpu and disk",
  Cluster: "compute",
  ServerlessEndpoint: "workersMin and gpuIds",
  ServerlessContainer: "workers.min and gpu",
  ServerlessFleet: "endpoints",
  NetworkVolume: "size",
};
