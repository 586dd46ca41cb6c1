import { z } from "zod";
import { readableTemplates } from "../catalog/templates";
import { named } from "../http/openapi";
import { badRequest, unprocessable } from "../problem";
import type { Service } from "../service";
import type { TemplateRecord } from "../store/records";
import { find } from "./lookup";

/** The container fields that pods, endpoints and templates share. */
export const containerFields = {
  image: z.string().optional(),
  args: z.string().optional(),
  disk: z.int().min(1).optional(),
  ports: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  registry: z.string().nullable().optional(),
};

/** The same fields in an answer, where none is missing. */
export const containerShown = {
  image: z.string(),
  args: z.string(),
  disk: z.int(),
  ports: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  registry: z.string().nullable(),
};

/** Marks a body that the service's schema puts together from parts, container fields and others. */
export const assembled = { unevaluatedProperties: false } as const;

export const persistentMount = named("PersistentMount", z.strictObject({ size: z.int().min(10), path: z.string() }));

export const templateMounts = named("TemplateMounts", z.strictObject({ persistent: persistentMount.optional() }));

export const mounts = named(
  "Mounts",
  z.strictObject({
    persistent: persistentMount.optional(),
    network: z
      .array(named("NetworkMount", z.strictObject({ volumeId: z.string(), path: z.string() })))
      .max(1)
      .optional(),
  }),
);

export const cudaVersion = z.string().regex(/^\d+\.\d+$/);

/** Container fields as a body may bring them. */
export interface ContainerInput {
  readonly image?: string | undefined;
  readonly args?: string | undefined;
  readonly disk?: number | undefined;
  readonly ports?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly registry?: string | null | undefined;
}

/** The service's defaults where a body says nothing. */
export const CONTAINER_DEFAULTS = { image: "", args: "", ports: [], env: {}, registry: null } as const;

const MOST_HTTP_PORTS = 10;
const MOST_ENV_KEYS = 50;

/** The rules about container fields that their schema cannot say; breaking one is a 400. */
export function checkContainer({ ports = [], env = {} }: ContainerInput): void {
  const broken = ports.find((port) => !/^\d+\/(http|tcp)$/.test(port));
  if (broken !== undefined) throw badRequest(`port '${broken}' must look like 8888/http or 22/tcp`);
  if (ports.filter((port) => port.endsWith("/http")).length > MOST_HTTP_PORTS)
    throw badRequest(`at most ${MOST_HTTP_PORTS} http ports are allowed`);
  if (Object.keys(env).length > MOST_ENV_KEYS)
    throw badRequest(`at most ${MOST_ENV_KEYS} environment variables are allowed`);
}

/** The container settings that a template and a body make together: the body wins, `env` key by key. */
export function containerFrom(template: TemplateRecord | undefined, body: ContainerInput): ContainerInput {
  if (template === undefined) return body;
  const { image, args, disk, ports, env, registry } = template;
  const own = sent({
    image: body.image,
    args: body.args,
    disk: body.disk,
    ports: body.ports,
    registry: body.registry,
  });
  return { image, args, disk, ports, registry, ...own, env: { ...env, ...body.env } };
}

/** The template that a body names, own or public, of the kind that the resource needs. */
export function resolveTemplate(
  service: Service,
  templateId: string | undefined,
  kind: "pod" | "serverless",
): TemplateRecord | undefined {
  if (templateId === undefined) return undefined;
  const template = find(service, readableTemplates(service), templateId, "template");
  if (template.serverless !== (kind === "serverless"))
    throw unprocessable(`template '${templateId}' is not a ${kind} template`);
  return template;
}

/** A body without the fields that were not sent. */
export type Sent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields that were not sent, so that they do not overwrite anything when spread. */
export function sent<T extends object>(fields: T): Sent<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Sent<T>;
}
