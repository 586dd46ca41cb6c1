/* Bodies of v1 become arguments that our own checks and the service take. */
import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import type { z } from "zod";
import { MigrationError, migrate } from "../../cli/migrate/v1";
import { quoteArgv } from "../../cli/migrate/v1/container";
import { gpuPools } from "../../cli/migrate/v1/pools";
import { Catalog } from "../../emulator/catalog/catalog";
import type { ResourceDefinition } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { definitions } from "../../provider/resources";
import { emulatorForAll } from "../harness/account";
import { contextOf } from "../harness/context";
import { BODIES, PLACEHOLDERS, type Row } from "./bodies";

const { emulator } = emulatorForAll();
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  const { client } = contextOf(emulator);
  const image = "registry.example.com/app:1";
  const [pods, workers, volume, everywhere, registry] = await Promise.all([
    client.templates.create({ name: "pods", image }),
    client.templates.create({ name: "workers", image, serverless: true }),
    client.networkVolumes.create({ name: "volume", size: 10, dataCenter: "EU-RO-1" }),
    client.globalVolumes.create({ name: "everywhere" }),
    client.registries.create({ name: "registry", username: "u", password: "p" }),
  ]);
  const all = [pods, workers, volume, everywhere, registry];
  ids = Object.fromEntries(PLACEHOLDERS.map((name, index) => [name, all[index]?.id ?? ""]));
});

/** A value with real ids. */
function real<T>(value: T): T {
  let text = JSON.stringify(value);
  for (const name of PLACEHOLDERS) text = text.replaceAll(`"${name}"`, JSON.stringify(ids[name]));
  return JSON.parse(text);
}

test.each(BODIES)("a body of v1 $kind: $title", async ({ kind, body, args, warns = [] }: Row) => {
  const migrated = migrate(real(body));
  expect(migrated.kind).toBe(kind);
  expect(migrated.args).toEqual(real(args));
  expect(migrated.warnings.map(({ field }) => field)).toEqual(warns);
  expect(migrated.id).toBe(body.id);
  const definition = Object.values(definitions).find((each) => each.kind === kind);
  await makeAndDelete(definition as ResourceDefinition<z.ZodObject, { id: string }>, migrated.args);
});

async function makeAndDelete<Live extends { id: string }>(
  definition: ResourceDefinition<z.ZodObject, Live>,
  args: Properties,
): Promise<void> {
  const context = contextOf(emulator);
  const lifecycle = new Lifecycle(definition, async () => context);
  const { inputs, failures } = await lifecycle.check({}, { __logicalName: "migrated", ...args });
  expect(failures).toEqual([]);
  const { id, state } = await lifecycle.create(inputs);
  expect(id).toEqual(expect.any(String));
  await lifecycle.delete(id, state);
}

const missing: readonly (readonly [string, Properties])[] = [
  ["gpuTypeIds", { imageName: "i", cloudType: "SECURE" }],
  ["cpuFlavorIds", { imageName: "i", computeType: "CPU" }],
  ["gpuTypeIds", { templateId: "t", workersMax: 1 }],
  ["gpuTypeIds", { templateId: "t", workersMax: 1, gpuTypeIds: ["NVIDIA A30"] }],
  ["cpuFlavorIds", { templateId: "t", workersMax: 1, computeType: "CPU" }],
  ["templateId", { gpuIds: "ADA_24", workersMax: 1 }],
  ["password", { username: "ci" }],
];
test.each(missing)("what v1 took and v2 can't do without is asked for: %s of %j", (field, body) =>
  expect(migrate(body).warnings.map((warning) => warning.field)).toEqual([field]),
);

test("what no field tells apart needs its kind", () => {
  const body = { name: "preset", imageName: "i" };
  expect(() => migrate(body)).toThrow(MigrationError);
  expect(migrate(body, "Template").args).toMatchObject({ name: "preset", image: "i" });
  expect(() => migrate([body])).toThrow(MigrationError);
});

test("warnings hold no values of secrets", () => {
  const secret = "s3cret-value";
  const body = { name: "r", username: secret, password: secret, env: { KEY: 1, OTHER: secret }, token: secret };
  expect(JSON.stringify(migrate(body).warnings)).not.toContain(secret);
});

test("the known pools are those of the catalog", () => {
  const catalog = Array.from(new Catalog({ gpus: [], dataCenters: [] }).gpuPools, ([pool, types]) => [
    pool,
    types.map(({ id }) => id),
  ]);
  expect([...gpuPools]).toEqual(catalog);
});

test("a quoted command line is the same argv to a shell", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("", "it's", "$HOME", "a b", "*", "\\", '"', "`id`", "\n"));
  const argvs = fc.array(
    word.map((text) => text.replaceAll("\0", "")),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(argvs, (argv) => {
      const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${quoteArgv(argv)}`], { encoding: "utf8" });
      expect(printed.split("\0").slice(0, -1)).toEqual(argv);
    }),
    { numRuns: 50 },
  );
});
