import { z } from "zod";
import type { Context } from "../lifecycle/definition";
import {
  catalogued,
  computedWhenOmitted,
  declaredKeys,
  mayNameSecrets,
  named,
  openWhenEmpty,
  secret,
  trigger,
  unordered,
  writeOnly,
} from "../lifecycle/fields";
import { isObject, type Properties } from "../lifecycle/values";
import { COMMAND_DEFAULTS, commandFields, sendable, templatedCommandFields } from "./command";
import { patchOf } from "./patch";
import { readable } from "./templateCopy";

/** `port/protocol`; TCP numbers from 70000 ask for a symmetric mapping, so that 65535 is not a limit. */
const port = z.string().regex(/^\d+\/(http|tcp)$/, 'must be "port/http" or "port/tcp", such as "8888/http"');

const MOST_HTTP_PORTS = 10;
const MOST_ENV_KEYS = 50;

const PORTS = `\`port/protocol\`, such as \`8888/http\` or \`22/tcp\`; at most ${MOST_HTTP_PORTS} http.`;
const ENV = `Environment, at most ${MOST_ENV_KEYS} variables. Variables that the platform adds are not drift.`;

const ports = z
  .array(port)
  .refine(
    (list) => list.filter((each) => String(each).endsWith("/http")).length <= MOST_HTTP_PORTS,
    `must hold at most ${MOST_HTTP_PORTS} http ports`,
  )
  .describe(PORTS);
const env = z
  .record(z.string().min(1), mayNameSecrets(z.string()))
  .refine((map) => Object.keys(map).length <= MOST_ENV_KEYS, `must hold at most ${MOST_ENV_KEYS} variables`)
  .describe(ENV);

export const image = z.string().min(1).describe("Container image with its tag.");

/** What `disk` is, as an output. */
export const diskInGb = z.int().describe("Container disk in GB.");

/** The container fields that clusters, pods, endpoints and templates share; clusters know no `registry`. */
export const baseContainerFields = {
  image: image.optional(),
  args: openWhenEmpty(z.string().default("")).describe("Command of the container, one string; empty: the image's own."),
  ...commandFields,
  disk: computedWhenOmitted(z.int().min(1).optional()).describe(
    "Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.",
  ),
  ports: openWhenEmpty(unordered(ports.default([]))),
  env: secret(declaredKeys(env.default({}))),
};

export const registryField = {
  registry: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the Registry whose credentials pull the image. Default: none, the image is public."),
};

/** The same where `templateId` may bring them: what is left out comes from the template, and only then from a default. */
export const templatedContainerFields = {
  ...baseContainerFields,
  ...registryField,
  ...templatedCommandFields,
  image: image.optional().describe("Container image with its tag. Required without `templateId`."),
  args: openWhenEmpty(z.string().optional()).describe(
    "Command of the container, one string. Default: the template's, or the image's own.",
  ),
  ports: openWhenEmpty(unordered(ports.optional())).describe(`${PORTS} Default: the template's, or none.`),
  env: secret(declaredKeys(env.optional())).describe(`${ENV} Default: the template's, or none.`),
  templateId: writeOnly(z.string().min(1).optional()).describe(
    "Id of a template, own or public, whose settings are copied; changing it copies again. Default: none.",
  ),
  // A template that is changed reaches no copy of it: an update takes it over, and this asks for one.
  templateRevision: trigger(writeOnly(z.int().optional())).describe(
    "A number whose change copies the template's settings again. Default: none.",
  ),
};

/** Container defaults of a resource without a template. */
export function withContainerDefaults(inputs: Properties): Properties {
  return inputs.templateId === undefined ? { ...COMMAND_DEFAULTS, ports: [], env: {}, ...inputs } : inputs;
}

type Environment = Readonly<Record<string, string>>;

/** Container arguments, where a template may bring them. */
interface Container {
  readonly image?: string | undefined;
  readonly args?: string | undefined;
  readonly entrypoint?: string[] | undefined;
  readonly cmd?: string[] | undefined;
  readonly disk?: number | undefined;
  readonly ports?: string[] | undefined;
  readonly registry?: string | undefined;
  readonly env?: Record<string, string> | undefined;
  readonly templateId?: string | undefined;
  readonly templateRevision?: number | undefined;
}

/** What an update knows of the change. */
interface ContainerChange {
  readonly changed: { has(field: keyof Container): boolean };
  readonly old: Properties;
}

const COMMAND = ["args", "entrypoint", "cmd"] as const;
const PLAIN = ["image", ...COMMAND, "disk", "ports", "registry"] as const;

/**
 * The container's part of a PATCH. A template's settings take the place of all that the PATCH does not name, so that
 * what is declared goes along with it. A template that is named no more leaves nothing behind.
 *
 * @param live the environment as it is, where that was read
 */
export async function containerPatch(
  { client }: Context,
  declared: Container,
  { changed, old }: ContainerChange,
  live: Environment = {},
) {
  const wanted = sendable(declared);
  if (appliesTemplate(wanted, changed)) return patchOf(wanted, new Set([...PLAIN, "env", "templateId"]));
  const left = changed.has("templateId") && typeof old.templateId === "string" ? old.templateId : undefined;
  const isSent = (field: (typeof PLAIN)[number]) =>
    changed.has(field) || (isPart(COMMAND, field) && COMMAND.some((part) => changed.has(part)));
  const fields = PLAIN.filter((field) => isSent(field) || (left !== undefined && field === "registry"));
  const plain = patchOf(wanted, new Set(fields), { registry: null });
  if (!changed.has("env")) return plain;
  const template = left === undefined ? undefined : await readable(client.templates.read(left));
  return { ...plain, env: mergedEnv(live, { ...template?.env, ...asMap(old.env) }, wanted.env ?? {}) };
}

const isPart = (list: readonly string[], field: string) => list.includes(field);

const asMap = (value: unknown): Properties => (isObject(value) ? value : {});

export function appliesTemplate(wanted: Container, changed: ContainerChange["changed"]): boolean {
  return wanted.templateId !== undefined && (changed.has("templateId") || changed.has("templateRevision"));
}

/**
 * A PATCH replaces the whole environment, and the platform, a template or somebody before an adoption may have put
 * variables of their own into it: those stay.
 */
export function mergedEnv(live: Environment = {}, before: unknown, wanted: Environment): Environment {
  const ours = asMap(before);
  return { ...Object.fromEntries(Object.entries(live).filter(([key]) => !(key in ours))), ...wanted };
}

export const cudaVersion = z.string().regex(/^\d+\.\d+$/, 'must be a version such as "12.4"');
export const cudaVersions = z.array(cudaVersion);

export const cpu = named(
  "Cpu",
  z
    .strictObject({
      id: catalogued("cpu", z.string().min(1), { vcpuCount: "vcpuCount" }).describe(
        "CPU flavor of the catalog, such as `cpu5c`.",
      ),
      vcpuCount: z.int().min(2).describe("A power of two from 2. Memory comes with it."),
    })
    .describe("CPUs of a pod or worker."),
);
