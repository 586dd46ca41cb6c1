import type { z } from "zod";
import type { Context, ResourceDefinition } from "../lifecycle/definition";
import type { Properties } from "../lifecycle/values";
import { definitions } from "../resources";
import { shownCommand } from "../resources/command";
import { SSH_KEYS_ID } from "../resources/sshKeys";
import { adoptableOf } from "./adoptable";
import type { Adoptable } from "./found";

/** What names a resource: enough to find it. */
export interface Reference {
  readonly kind: string;
  readonly id: string;
}

interface Kind {
  readonly kind: string;
  /** Ids and names of the account's; undefined where it was not asked for. */
  list(
    context: Context,
    endpoints: () => Promise<EndpointKinds>,
  ): Promise<readonly { id: string; name?: string | null | undefined }[]>;
  describe(context: Context, id: string): Promise<Adoptable | undefined>;
}

/** The endpoints by id, each with the kind that declares it best. */
type EndpointKinds = ReadonlyMap<string, { kind: string; name: string | undefined }>;

interface Exceptions {
  /** It holds data or serves. */
  readonly protect?: true;
  readonly list?: Kind["list"];
  readonly more?: (context: Context, id: string) => Promise<Properties>;
}

function kindOf<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
  { list, more, protect }: Exceptions = {},
): Kind {
  return {
    kind: definition.kind,
    list: list ?? (async (context) => (await definition.list?.(context)) ?? []),
    describe: async (context, id) => adoptableOf(definition, context, id, await more?.(context, id), protect),
  };
}

const endpointsOf =
  (kind: string): Kind["list"] =>
  async (_, endpoints) =>
    [...(await endpoints())].filter(([, each]) => each.kind === kind).map(([id, { name }]) => ({ id, name }));

/** So that what is referred to comes first. The compiler asks for every kind; undefined is one that can't be adopted. */
const adoptable = {
  sshKeys: kindOf(definitions.sshKeys, {
    list: async ({ client }) =>
      (await client.sshKeys.get()).length === 0 ? [] : [{ id: SSH_KEYS_ID, name: "ssh-keys" }],
  }),
  secret: kindOf(definitions.secret),
  registry: kindOf(definitions.registry),
  ecrDelegation: kindOf(definitions.ecrDelegation, { more: repositoryOf }),
  networkVolume: kindOf(definitions.networkVolume, { protect: true }),
  globalVolume: kindOf(definitions.globalVolume, { protect: true }),
  template: kindOf(definitions.template),
  serverlessEndpoint: kindOf(definitions.serverlessEndpoint, {
    protect: true,
    list: endpointsOf(definitions.serverlessEndpoint.kind),
  }),
  serverlessContainer: kindOf(definitions.serverlessContainer, {
    protect: true,
    list: endpointsOf(definitions.serverlessContainer.kind),
  }),
  // Each of its members is an endpoint by itself.
  serverlessFleet: undefined,
  pod: kindOf(definitions.pod, { protect: true }),
  cluster: kindOf(definitions.cluster, { protect: true, more: containerOf }),
  tag: kindOf(definitions.tag),
  costCenter: kindOf(definitions.costCenter),
  // What it has proven is over.
  smokeJob: undefined,
} satisfies Record<keyof typeof definitions, Kind | undefined>;

const kinds: readonly Kind[] = Object.values(adoptable).filter((kind) => kind !== undefined);

const ENDPOINTS = [definitions.serverlessEndpoint.kind, definitions.serverlessContainer.kind];

export const adoptableKinds: readonly string[] = kinds.map(({ kind }) => kind);

export interface Selection {
  /** Default: every kind. */
  readonly kinds?: readonly string[] | undefined;
  /** Part of the name. */
  readonly filter?: string | undefined;
}

/** All that the account holds, what is referred to before what refers to it. */
export async function readAccount(
  context: Context,
  { kinds: wanted = adoptableKinds, filter = "" }: Selection = {},
): Promise<readonly Adoptable[]> {
  // Only for those who ask for endpoints: a key may not read them.
  let asked: Promise<EndpointKinds> | undefined;
  const endpoints = () => (asked ??= endpointKinds(context));
  const found = await Promise.all(
    kinds
      .filter(({ kind }) => wanted.includes(kind))
      .map(async (kind) => {
        const listed = await kind.list(context, endpoints);
        const chosen = listed.filter(({ name }) => (name ?? "").includes(filter));
        return Promise.all(chosen.map(({ id }) => kind.describe(context, id)));
      }),
  );
  return found.flat().filter((each) => each !== undefined);
}

/** Those of the references that exist; an endpoint as the kind that declares it best. */
export async function readReferences(
  context: Context,
  references: readonly Reference[],
): Promise<readonly Adoptable[]> {
  const named = references.some(({ kind }) => ENDPOINTS.includes(kind));
  const endpoints: EndpointKinds = named ? await endpointKinds(context) : new Map();
  const actual = references.map(({ kind, id }) => ({ id, kind: endpoints.get(id)?.kind ?? kind }));
  const found = await Promise.all(
    kinds.flatMap((kind) =>
      actual.filter((each) => each.kind === kind.kind).map(({ id }) => kind.describe(context, id)),
    ),
  );
  return found.filter((each) => each !== undefined);
}

/** A ServerlessEndpoint is made from one of the account's templates; all else only a ServerlessContainer can say. */
async function endpointKinds({ client }: Context): Promise<EndpointKinds> {
  const [endpoints, templates] = await Promise.all([client.serverless.list(), client.templates.list()]);
  const own = new Set(templates.map(({ id }) => id));
  const entries = endpoints.map(async ({ id, name, cpu }) => {
    const saved = cpu === undefined ? await client.endpoints.read(id) : undefined;
    const fromTemplate = saved?.templateId !== undefined && saved.templateId !== null && own.has(saved.templateId);
    const { kind } = fromTemplate ? definitions.serverlessEndpoint : definitions.serverlessContainer;
    return [id, { kind, name }] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The service shows an ARN in parts. */
async function repositoryOf({ client }: Context, id: string): Promise<Properties> {
  const delegation = (await client.delegations.list()).find((each) => each.id === id);
  if (delegation === undefined) return {};
  const { awsRegion, awsUser, repository } = delegation;
  return { resource: `arn:aws:ecr:${awsRegion}:${awsUser}:repository/${repository}` };
}

/** A cluster's container is shown by its members alone. */
async function containerOf({ client }: Context, id: string): Promise<Properties> {
  const [member] = await client.clusters.pods(id);
  // What it has of a template is said by the template.
  if (member === undefined || (await client.clusters.read(id))?.template) return {};
  const { image, disk, ports, env, mounts } = member;
  return { image, ...shownCommand(member, {}), disk, ports, env, mounts };
}
