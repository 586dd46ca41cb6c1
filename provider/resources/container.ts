import type { Template } from "../../client";
import { isRecord } from "../../common/json";
import { z } from "../../common/zod";
import { catalogued } from "../catalog/catalogued";
import type { Context } from "../lifecycle/definition";
import {
  computedWhenOmitted,
  declaredKeys,
  hint,
  mayNameSecrets,
  named,
  openWhenEmpty,
  secret,
  trigger,
  unordered,
  writeOnly,
} from "../lifecycle/fields/fields";
import { type Properties, pick } from "../lifecycle/fields/values";
import { COMMAND, COMMAND_DEFAULTS, commandFields, sendable, templatedCommandFields } from "./command";
import { patchOf } from "./patch";
import { readable } from "./serverless/templateCopy";

const HIGHEST_PORT = 65_535;
/** TCP numbers from here on are no ports: they ask for a symmetric mapping, the same port inside and outside. */
const SYMMETRIC_FROM = 70_000;

const port = z
  .string(hint((input) => typeof input === "number" && `must be "port/http" or "port/tcp", such as "${input}/http"`))
  .regex(/^\d+\/(http|tcp)$/, 'must be "port/http" or "port/tcp", such as "8888/http"')
  .refine((text) => {
    const number = Number.parseInt(text, 10);
    return (number > 0 && number <= HIGHEST_PORT) || (number >= SYMMETRIC_FROM && text.endsWith("/tcp"));
  }, `must be a port from 1 to ${HIGHEST_PORT}, or a tcp number from ${SYMMETRIC_FROM}, which asks for the same port inside and outside`);

const MOST_HTTP_PORTS = 10;
const MOST_ENV_KEYS = 50;

const PORTS = `\`port/protocol\`, such as \`8888/http\` or \`22/tcp\`; at most ${MOST_HTTP_PORTS} http.`;
const ENV = `Environment, at most ${MOST_ENV_KEYS} variables. Variables that the platform adds are not drift.`;

const ports = z
  .array(
    port,
    hint(
      (input) =>
        /^\d+(\/\w+)?$/.test(String(input)) && `must be a list, such as ["${parseInt(String(input), 10)}/http"]`,
    ),
  )
  .refine(
    (list) => list.filter((each) => String(each).endsWith("/http")).length <= MOST_HTTP_PORTS,
    `must hold at most ${MOST_HTTP_PORTS} http ports`,
  )
  .describe(PORTS);
const env = z
  .record(z.string().min(1), mayNameSecrets(z.string()))
  .refine((map) => Object.keys(map).length <= MOST_ENV_KEYS, `must hold at most ${MOST_ENV_KEYS} variables`)
  .describe(ENV);

const PART = "[a-z\\d]+(?:(?:\\.|__?|-+)[a-z\\d]+)*";
/** The form of every registry and container runtime. Only the host may have capitals. */
const IMAGE = new RegExp(
  `^(?:[a-zA-Z\\d][a-zA-Z\\d.-]*(?::\\d+)?/)?${PART}(?:/${PART})*(?::\\w[\\w.-]{0,127})?(?:@\\w+:[a-fA-F\\d]{32,})?$`,
);

export const image = z
  .string()
  .min(1)
  .regex(IMAGE, {
    error: ({ input }) =>
      String(input).includes("://")
        ? 'must be an image\'s name, without "https://": "registry.example.com/chat:1.4"'
        : 'must be an image\'s name in lower case, such as "registry.example.com/chat:1.4"',
  })
  .describe("Container image with its tag.");

/** The output `disk`. */
export const diskInGb = z.int().describe("Container disk in GB.");

/** The container fields that clusters, pods, endpoints and templates share. Clusters have no `registry`. */
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

/**
 * The container fields of kinds that take `templateId`. A field that is left out comes from the template, and without one
 * from its default.
 */
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
  // A change of a template does not reach its copies. A change of this number causes an update that copies it again.
  templateRevision: trigger(writeOnly(z.int().optional())).describe(
    "A number whose change copies the template's settings again. Default: none.",
  ),
};

/** Container defaults of a resource without a template. */
export function withContainerDefaults(inputs: Properties): Properties {
  return inputs.templateId === undefined ? { ...COMMAND_DEFAULTS, ports: [], env: {}, ...inputs } : inputs;
}

type Environment = Readonly<Record<string, string>>;

/** Container arguments of a kind that takes a template. */
type Container = z.output<z.ZodObject<typeof templatedContainerFields>>;

/** The part of an update's change that the container depends on. */
interface ContainerChange {
  readonly changed: { has(field: keyof Container): boolean };
  readonly old: Properties;
}

const PLAIN = ["image", ...COMMAND, "disk", "ports", "registry"] as const;

/**
 * The container's part of a PATCH. A PATCH that names a template replaces all settings that it does not name. So the
 * declared ones are sent along. A template that is removed from the program leaves no credentials or variables behind. In
 * place of a setting that is no longer declared the template's is sent.
 *
 * @param live the current environment, if it was read
 */
export async function containerPatch(
  { client }: Context,
  declared: Container,
  { changed, old }: ContainerChange,
  live: Environment = {},
) {
  const wanted = sendable(declared);
  if (appliesTemplate(wanted, changed)) return patchOf(wanted, new Set([...PLAIN, "env", "templateId"]));
  const { templateId } = wanted;
  const previousTemplate = changed.has("templateId") && typeof old.templateId === "string" ? old.templateId : undefined;
  const isSent = (field: (typeof PLAIN)[number]) =>
    changed.has(field) || (isPart(COMMAND, field) && COMMAND.some((part) => changed.has(part)));
  const fields = PLAIN.filter((field) => isSent(field) || (previousTemplate !== undefined && field === "registry"));
  const isLess =
    PLAIN.some((field) => changed.has(field) && declared[field] === undefined) ||
    Object.keys(asMap(old.env)).some((key) => !(key in (declared.env ?? {})));
  const template = isLess && templateId !== undefined ? await readable(client.templates.read(templateId)) : undefined;
  const cleared = templateId === undefined ? { registry: null } : settingsOf(template, wanted);
  const plain = patchOf(wanted, new Set(fields), cleared);
  if (!changed.has("env")) return plain;
  const previous = previousTemplate === undefined ? undefined : await readable(client.templates.read(previousTemplate));
  const restored = pick(template?.env ?? {}, new Set(Object.keys(asMap(old.env))));
  return { ...plain, env: mergedEnv(live, { ...previous?.env, ...asMap(old.env) }, { ...restored, ...wanted.env }) };
}

/** What a template gives in place of arguments that are no longer declared, but for the disk, which keeps its size. */
function settingsOf(template: Template | undefined, declared: Container): Properties {
  if (template === undefined) return {};
  const { image, args, ports, registry = null } = template;
  return { image, ports, registry, ...(COMMAND.every((part) => declared[part] === undefined) && { args }) };
}

const isPart = (list: readonly string[], field: string) => list.includes(field);

const asMap = (value: unknown): Properties => (isRecord(value) ? value : {});

export function appliesTemplate(wanted: Container, changed: ContainerChange["changed"]): boolean {
  return wanted.templateId !== undefined && (changed.has("templateId") || changed.has("templateRevision"));
}

/**
 * The environment to send. A PATCH replaces all of it, so variables that this program never declared are kept: from the
 * platform, from a template, or from before an adoption.
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
