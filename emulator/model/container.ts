import type { z } from "zod";
import { readableTemplates } from "../catalog/templates";
import { badRequest, unprocessable } from "../problem";
import type { Service } from "../service";
import type { Container, Mounts, TemplateRecord } from "../store/records";
import { LEAST } from "./bounds";
import { argsFrom } from "./command";
import type { containerFields } from "./containerSchemas";
import { isImageName } from "./images";
import { find } from "./lookup";
import { type Received, sent } from "./sent";

export type ContainerInput = Received<z.ZodObject<typeof containerFields>>;

export const containerPart = <C extends ContainerInput>({ image, args, disk, ports, env, registry }: C) => ({
  image,
  args,
  disk,
  ports,
  env,
  registry,
});

/** The service's defaults for omitted fields. */
export const CONTAINER_DEFAULTS = { image: "", args: "", ports: [], env: {}, registry: null } as const;

const MOST_HTTP_PORTS = 10;
const MOST_ENV_KEYS = 50;

/** TCP numbers from here on request a symmetric mapping: the same port inside and outside. */
export const SYMMETRIC_FROM = 70_000;

const isPort = (number: number, isTcp: boolean) =>
  number >= 1 && (number <= 65_535 || (isTcp && number >= SYMMETRIC_FROM));

/** The rules about container fields that the schema can't express. Breaking one is a 400. */
export function checkContainer({ image = "", disk = LEAST.diskGb, ports = [], env = {} }: ContainerInput): void {
  if (image !== "" && !isImageName(image)) throw badRequest(`image '${image}' is not the name of an image`);
  if (disk < LEAST.diskGb) throw badRequest(`the container disk has at least ${LEAST.diskGb} GB`);
  const broken = ports.find((port) => !/^\d+\/(http|tcp)$/.test(port));
  if (broken !== undefined) throw badRequest(`port '${broken}' must look like 8888/http or 22/tcp`);
  const wrong = ports.find((port) => !isPort(Number(port.split("/")[0]), port.endsWith("/tcp")));
  if (wrong !== undefined) throw badRequest(`port '${wrong}' is not a port`);
  if (ports.filter((port) => port.endsWith("/http")).length > MOST_HTTP_PORTS)
    throw badRequest(`at most ${MOST_HTTP_PORTS} http ports are allowed`);
  if (Object.keys(env).length > MOST_ENV_KEYS)
    throw badRequest(`at most ${MOST_ENV_KEYS} environment variables are allowed`);
}

export function checkPersistentMount({ size }: NonNullable<Mounts["persistent"]>): void {
  if (size < LEAST.persistentGb) throw badRequest(`a persistent mount has at least ${LEAST.persistentGb} GB`);
}

/**
 * Merges the container settings of a template and a body. The body wins; `env` is merged by variable.
 *
 * @param argsBefore the present `args` of a patched resource. Of `entrypoint` and `cmd`, an omitted one stays
 */
export function containerFrom(
  template: TemplateRecord | undefined,
  body: ContainerInput,
  argsBefore = "",
): ContainerInput {
  const ownArgs = argsFrom(body, template?.args ?? argsBefore);
  if (template === undefined) return { ...body, args: ownArgs };
  const { image, args, disk, ports, env, registry } = template;
  const input = sent({ image: body.image, args: ownArgs, disk: body.disk, ports: body.ports, registry: body.registry });
  return { image, args, disk, ports, registry, ...input, env: { ...env, ...body.env } };
}

/** A container as the service shows it, with the values that it fills in for undeclared fields (setting `filledIn`). */
export function filledIn<C extends Pick<Container, "ports" | "args" | "env">>({ settings }: Service, container: C): C {
  const { ports, args, env } = settings.filledIn;
  return {
    ...container,
    ports: container.ports.length > 0 ? container.ports : ports,
    args: container.args || args,
    env: { ...env, ...container.env },
  };
}

/** The template that a body refers to, own or public. It must be for the given kind. */
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
