import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../common/json";
import { isSecretName, isSecretText } from "../../common/looksSecret";
import { RESERVED_PREFIX } from "../../common/presets";
import { z } from "../../common/zod";
import { checkInputs } from "../../provider/lifecycle/check/check";
import type { Context, ResourceDefinition, Run } from "../../provider/lifecycle/definition";
import { bare, defaultOf, factsOf } from "../../provider/lifecycle/fields/fields";
import { type Properties, pick, withoutNulls } from "../../provider/lifecycle/fields/values";
import { differences, refreshed } from "../../provider/lifecycle/plan/diff";
import { type Adoptable, SecretValue } from "./found";

/** Variables that the platform adds to a container's environment. A program must not declare them. */
const INJECTED = new RegExp(
  `^(${RESERVED_PREFIX}_.*|PUBLIC_KEY|JUPYTER_PASSWORD|(PRIMARY|MASTER)_(ADDR|PORT)|NODE_(ADDR|RANK)|` +
    "NUM_(NODES|TRAINERS)|HOST_NODE_ADDR|WORLD_SIZE)$",
);
/** What a load balancer adds. Another port was declared, and the next save of the variables would remove it. */
const isBalancersOwn = (name: string, text: unknown) => /^PORT(_HEALTH)?$/.test(name) && text === "80";

/** A secret of the account that stands for its value, which the variable doesn't show. */
const REFERENCE = new RegExp(`^\\{\\{ *${RESERVED_PREFIX}_SECRET_\\w+ *\\}\\}$`);

function looksPlain(name: string, text: string): boolean {
  if (REFERENCE.test(text)) return true;
  return !isSecretText(text) && !isSecretName(`${name}=${text}`);
}

/**
 * The arguments with which a program adopts a resource without changing it. Undefined if the resource does not exist.
 *
 * @param more arguments that the kind's own read does not show
 * @param protect whether the kind holds data or serves
 */
export async function adoptableOf<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
  context: Context,
  id: string,
  more: Properties = {},
  protect = false,
): Promise<Adoptable | undefined> {
  const { kind, inputs: schema } = definition;
  const live = await definition.read(context, id, {});
  if (live === undefined) return undefined;
  const observed: Properties = { ...definition.observe(live, {}), ...more };
  const needed = declarable(schema, observed);
  // The provider's default may differ from the existing value, which is then declared.
  const undeclaredDifferences = differencesOf(definition, context, needed, observed);
  const fields = new Set(undeclaredDifferences.map(({ field }) => field));
  const args = { ...needed, ...pick(declarable(schema, observed, false), fields) };
  return {
    kind,
    id,
    name: typeof observed.name === "string" ? observed.name : "",
    args,
    protect,
    differences: differencesOf(definition, context, args, observed).map(({ path }) => path),
  };
}

function differencesOf<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
  run: Run,
  args: Properties,
  observed: Properties,
) {
  const { inputs } = checkInputs(definition, plain(args));
  const now = refreshed(definition.inputs, inputs, observed);
  const fieldDifferences = differences(definition.inputs, now, inputs);
  return definition.differences?.(fieldDifferences, now, inputs, run) ?? fieldDifferences;
}

/** @param sparing leaves out values that equal the default, and empty ones */
function declarable(schema: z.ZodObject, observed: Properties, sparing = true): Properties {
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([key, field]): [string, unknown][] => {
      const facts = factsOf(field);
      if (facts.control || facts.trigger) return [];
      const value = withoutNulls(observed[key]);
      if (value === undefined || value === null) {
        return facts.secret && !field.safeParse(undefined).success ? [[key, new SecretValue()]] : [];
      }
      if (facts.declaredKeys && isRecord(value)) {
        const isBalancer = observed.type === "LOAD_BALANCER";
        const variables = Object.entries(value).flatMap(([name, text]): [string, SecretValue][] =>
          INJECTED.test(name) || (isBalancer && isBalancersOwn(name, text))
            ? []
            : [[name, new SecretValue(String(text), looksPlain(name, String(text)))]],
        );
        return variables.length === 0 ? [] : [[key, Object.fromEntries(variables)]];
      }
      if (facts.secret) return [[key, new SecretValue(String(value))]];
      const isOptional = field.safeParse(undefined).success;
      if (sparing && isOptional && (isEmpty(value) || isDeepStrictEqual(value, facts.initially ?? defaultOf(field))))
        return [];
      return [[key, valueFor(field, value, sparing)]];
    }),
  );
}

const isEmpty = (value: unknown) =>
  value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);

function valueFor(field: z.core.$ZodType, value: unknown, sparing: boolean): unknown {
  const inner = bare(field);
  if (inner instanceof z.ZodObject && isRecord(value)) return declarable(inner, value, sparing);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => valueFor(inner.element, each, sparing));
  if (!(inner instanceof z.ZodDiscriminatedUnion) || !isRecord(value)) return value;
  const fits = inner.options.find((option) => z.safeParse(option, value).success);
  return fits === undefined ? value : valueFor(fits, value, sparing);
}

/** The arguments as the engine would send them, with plain values instead of SecretValues. */
function plain(args: Properties): Properties {
  const text = (value: unknown): unknown => {
    if (value instanceof SecretValue) return value.value ?? "unread";
    if (Array.isArray(value)) return value.map(text);
    return isRecord(value) ? plain(value) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, text(value)]));
}
