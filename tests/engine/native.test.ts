/* Resources that the plugin makes, through the real engine. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said, stackForAll, staysUnchanged } from "../harness/scenario";

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
const stack = stackForAll(() => ({ program: "", emulator }));

afterEach(() => service.forgetCalls());

/** A program that has a provider and makes these resources with it. */
function program(...resources: readonly string[]): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const cloud = require("pulumi-computecloud");
    const provider = new cloud.Provider("cloud");
    ${resources.join("\n")}
  `;
}

const volume = (args: object) => `
  const models = new cloud.NetworkVolume("models", ${JSON.stringify({ size: 10, dataCenter: "EU-RO-1", ...args })}, { provider });
  exports.models = { size: models.size, name: models.name, type: models.type };
`;

describe("a resource", () => {
  test("shows in a preview what can be known of it", async () => {
    await stack.edit(program(volume({})));
    const { stdout, changes } = await stack.preview();
    expect(changes).toEqual({ create: 1 });
    expect(stdout).toMatch(/name: +"models-[0-9a-f]{7}"/);
    expect(stdout).toMatch(/size: +10/);
    expect(stdout).toMatch(/type: +\[unknown\]/);
    expect((await service.calls()).filter((call) => call.startsWith("create"))).toEqual([]);
  });

  test("is made, and left alone by the next up", async () => {
    expect((await stack.up()).changes).toEqual({ create: 1 });
    expect((await stack.resource("models")).type).toBe("computecloud:index:NetworkVolume");
    await staysUnchanged(stack, service);
  });

  test("tells property by property what a change does", async () => {
    await stack.edit(program(volume({ size: 20 })));
    const change = await stack.preview({ args: ["--diff"] });
    expect(change.changes).toEqual({ update: 1 });
    expect(change.stdout).toMatch(/~ size: 10 => 20/);
    // The name is made up, and keeps to what the resource was called.
    expect(change.stdout).not.toMatch(/name *:.*=>/);

    await stack.edit(program(volume({ dataCenter: "EU-SE-1" })));
    const replacement = await stack.preview({ args: ["--diff"] });
    expect(replacement.changes).toEqual({ replace: 1 });
    expect(replacement.stdout).toMatch(/~ dataCenter: "EU-RO-1" => "EU-SE-1"/);
    expect(replacement.steps.find(({ op }) => op === "replace")?.replaceKeys).toEqual(["dataCenter"]);
    expect(said(replacement)).toContain("deletes its data");
  });

  test("is created again after it was deleted elsewhere, and goes with the stack", async () => {
    await stack.edit(program(volume({})));
    await service.advance(100_000);
    await service.setState({ ...(await service.state()), networkVolumes: [] });
    expect((await stack.refresh()).changes).toEqual({ delete: 1 });
    expect((await stack.up()).changes).toEqual({ create: 1 });
    await leavesNothing(stack, service);
  });
});

test("secrets are encrypted in the state and named, not shown, in messages, those of a fleet's members too, whatever the language", async () => {
  const declared = (...[args, token, ofFleet, ofMember]: readonly string[]) =>
    program(
      `new cloud.Registry("images", { username: "hunter-u", password: "hunter-p" }, { provider });
      new cloud.Template("chat", { image: "example.com/t:1", args: pulumi.secret("${args}") }, { provider });
      const token = new cloud.Secret("token", { value: "${token}" }, { provider });
      exports.reference = token.reference;`,
      // As the classes of other languages register it, which mark nothing by themselves.
      `new pulumi.CustomResource("computecloud:index:ServerlessFleet", "models", {
        defaults: { gpuIds: "AMPERE_16", args: pulumi.secret("${ofFleet}"), env: { KEY: "hunter-key" } },
        endpoints: { chat: { image: "example.com/a:1", env: { TOKEN: "${ofMember}" } } },
        ids: undefined,
      }, { provider });`,
      `const scaling = { type: "REQUEST_COUNT", requestCount: 1 };
      const queue = { type: "QUEUE", image: "emulator/echo:1", gpu: { pools: ["AMPERE_16"] }, scaling };
      const endpoint = new cloud.ServerlessContainer("queue", queue, { provider });
      const job = new cloud.SmokeJob("says", { endpoint, input: { text: pulumi.secret("hunter-said") }, jobs: 2 }, { provider });
      exports.output = job.output;
      exports.measured = job.measured;`,
    );
  const [first, second] = [1, 2].map((at) => ["args", "token", "fleet", "member"].map((of) => `hunter-${of}-${at}`));
  await stack.edit(declared(...(first ?? [])));
  await stack.up();
  const { output, measured } = await stack.outputs();
  expect(JSON.stringify(output)).toContain("hunter-said");
  expect(measured).toMatchObject({ jobs: 2 });
  await stack.edit(declared(...(second ?? [])));
  const preview = await stack.preview({ args: ["--diff"] });
  expect(preview.stdout).toMatch(/args: \[secret\] => \[secret\]/);
  expect(said(preview)).toContain("args (secret)");
  expect(said(preview) + preview.stdout).not.toMatch(/hunter/);
  await stack.up();
  await stack.refresh();
  expect(await stack.stateText()).not.toMatch(/hunter/);
  expect((await stack.up()).changes).toEqual({ same: 6 });
  const { templates, secrets } = await service.state();
  expect(templates.find(({ image }) => image === "example.com/t:1")).toMatchObject({ args: "hunter-args-2" });
  expect(templates.find(({ image }) => image === "example.com/a:1")).toMatchObject({
    args: "hunter-fleet-2",
    env: { KEY: "hunter-key", TOKEN: "hunter-member-2" },
  });
  expect(secrets.map(({ value }) => value)).toEqual(["hunter-token-2"]);
  expect((await stack.outputs()).reference).toBe(`{{ RUNPOD_SECRET_${secrets[0]?.name} }}`);
  await stack.destroy();
});

describe("the stack's pulumi:autonaming", () => {
  const named = program(`
    const data = new cloud.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" }, { provider });
    exports.name = data.name;
  `);
  const autonaming = (...setting: readonly [string, string]) =>
    stack.pulumi(["config", "set", "--path", `pulumi:autonaming${setting[0]}`, setting[1]]);

  test("is followed: a pattern, names as they are, and none", async () => {
    await stack.edit(named);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the engine's own pattern
    await autonaming(".pattern", "team-${name}-${hex(3)}");
    await stack.up();
    const { name } = await stack.outputs();
    expect(name).toMatch(/^team-data-[0-9a-f]{3}$/);

    await stack.pulumi(["config", "rm", "pulumi:autonaming"]);
    await autonaming(".mode", "verbatim");
    // What has a name keeps it; a new resource gets the program's own.
    expect((await stack.up()).changes).toEqual({ same: 1 });
    await stack.edit(named.replaceAll('"data"', '"plain"'));
    await stack.up();
    expect(await stack.outputs()).toEqual({ name: "plain" });

    await autonaming(".mode", "disabled");
    await stack.edit(named.replaceAll('"data"', '"third"'));
    expect(said(await stack.preview({ fails: true }))).toContain("name: is required, because this stack's");
  });
});
