import type * as pulumi from "@pulumi/pulumi";
import type { JobRequest, StandaloneQueue } from "../../client/queue";
import { type MOCKED, MOCKED_JOBS } from "../internal/mockedJobs";
import { type MockWorker, mockQueue } from "./mockQueue";

export interface MockAnswers {
  /** Outputs by a resource's logical name or by its kind, such as `Pod`. Others are made up, by the schema. */
  readonly outputs?: Readonly<Record<string, object>>;
  /** Answers of functions by their names, such as `getGpuType`. Others are made up, by the schema. */
  readonly functions?: Readonly<Record<string, object>>;
  /** The worker of every endpoint's jobs. Without `run` each job's output is its input. */
  readonly jobs?: MockWorker;
}

interface Spec {
  readonly type?: string;
  readonly $ref?: string;
  readonly enum?: readonly { readonly value: unknown }[];
  readonly oneOf?: readonly Spec[];
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly inputProperties?: Readonly<Record<string, Spec>>;
  readonly outputs?: Spec;
  readonly required?: readonly string[];
  readonly additionalProperties?: Spec;
}

interface Schema {
  readonly types: Readonly<Record<string, Spec>>;
  readonly resources: Readonly<Record<string, Spec>>;
  readonly functions: Readonly<Record<string, Spec>>;
}

/**
 * Mocks for `pulumi.runtime.setMocks`: resources with all of their outputs, functions with an answer of the right shape, and
 * jobs that run in this process. Nothing is sent.
 *
 * @example
 * pulumi.runtime.setMocks(mocks({ functions: { getGpuType: { id: "NVIDIA L4", memory: 24 } } }));
 */
export function mocks({ outputs = {}, functions = {}, jobs }: MockAnswers = {}): pulumi.runtime.Mocks {
  const schema = require("pulumi-computecloud/schema.json") as Schema;
  const queue = mockQueue(jobs);
  return {
    newResource({ type, name, inputs }) {
      const kind = type.split(":").at(-1) ?? "";
      const spec = schema.resources[`computecloud:index:${kind}`] ?? {};
      const state = { ...filled(schema, spec, name, inputs), ...inputs, ...outputs[kind], ...outputs[name] };
      return { id: `${name}-id`, state };
    },
    call({ token, inputs }) {
      const [, place, name = ""] = token.split(":");
      if (place === MOCKED_JOBS) return jobAnswers(queue, inputs)[name as keyof typeof MOCKED]();
      return { ...filled(schema, schema.functions[token]?.outputs ?? {}, name, {}), ...functions[name] };
    },
  };
}

function jobAnswers(
  queue: StandaloneQueue,
  { endpointId: _, jobId, ...request }: pulumi.runtime.MockCallArgs["inputs"],
): Readonly<Record<keyof typeof MOCKED, () => Promise<object>>> {
  const id = String(jobId);
  const job: JobRequest = { input: undefined, ...request };
  return {
    run: () => queue.run(job),
    runSync: () => queue.runSync(job),
    wait: () => queue.wait(id),
    status: () => queue.status(id),
    cancel: () => queue.cancel(id),
    retry: () => queue.retry(id),
    stream: async () => ({ chunks: await Array.fromAsync(queue.stream(id)) }),
    purgeQueue: () => queue.purgeQueue(),
    health: () => queue.health(),
  };
}

/** The outputs that the inputs do not give: all that a resource has, and of what a program may declare what it always has. */
function filled(schema: Schema, spec: Spec, name: string, inputs: Readonly<Record<string, unknown>>): object {
  const { properties = {}, inputProperties = {}, required = [] } = spec;
  const members = Object.keys((inputs.endpoints as object | undefined) ?? {});
  const missing = Object.entries(properties).filter(
    ([key]) => !(key in inputs) && (required.includes(key) || !(key in inputProperties)),
  );
  return Object.fromEntries(missing.map(([key, of]) => [key, mocked(schema, of, `${name}-${key}`, members)]));
}

/** @param members of a fleet, whose outputs are maps by these names */
function mocked(schema: Schema, spec: Spec, text: string, members: readonly string[]): unknown {
  const reference = spec.$ref ?? spec.oneOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  const type = schema.types[reference?.replace("#/types/", "") ?? ""];
  if (type !== undefined) return type.enum?.[0]?.value ?? filled(schema, type, text, {});
  const { additionalProperties: each } = spec;
  switch (spec.type) {
    case "string":
      return text;
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "array":
      return [];
    default:
      return each && Object.fromEntries(members.map((name) => [name, mocked(schema, each, `${text}-${name}`, [])]));
  }
}
