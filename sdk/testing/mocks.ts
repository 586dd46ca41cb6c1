import type * as pulumi from "@pulumi/pulumi";
import type { JobRequest, StandaloneQueue } from "../../client/queue";
import { MOCKED_JOBS } from "../internal/mockedJobs";
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
      if (place === MOCKED_JOBS) return jobAnswer(queue, name, inputs);
      return { ...filled(schema, schema.functions[token]?.outputs ?? {}, name, {}), ...functions[name] };
    },
  };
}

async function jobAnswer(queue: StandaloneQueue, name: string, inputs: pulumi.runtime.MockCallArgs["inputs"]) {
  const { endpointId: _, jobId, ...request } = inputs;
  const id = String(jobId);
  const job: JobRequest = { input: undefined, ...request };
  switch (name) {
    case "run":
      return queue.run(job);
    case "runSync":
      return queue.runSync(job);
    case "wait":
      return queue.wait(id);
    case "status":
      return queue.status(id);
    case "cancel":
      return queue.cancel(id);
    case "retry":
      return queue.retry(id);
    case "stream":
      return { chunks: await Array.fromAsync(queue.stream(id)) };
    case "purgeQueue":
      return queue.purgeQueue();
    default:
      return queue.health();
  }
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
