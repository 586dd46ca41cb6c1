/* `pulumi-computecloud adopt`: an account that was made by hand becomes a program, which changes nothing. */
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { createClient } from "../../client";
import { run, runOnTerminal } from "../../tools/run/process";
import { Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { fails, MAIN, scriptedEngine } from "../harness/commandLine";
import { CLEAN, compiled } from "../harness/compiled";
import * as requests from "../harness/requests";
import { said, stackForAll } from "../harness/scenario";
import { sized } from "../harness/size";
import { RAW } from "./hostileService";

const SECRET = "hunter2";
const MODEL = `https://huggingface.co/acme/chat:${"0a1b2c3d".repeat(5)}`;
const MADE_UP = "models-0a1b2c3";
const ODD_NAMES = [
  "delete",
  "constructor",
  "__proto__",
  "42",
  `\${process.exit(1)}\``,
  '"); process.exit(1); ("',
  "*/ evil /*",
  "日本語",
  "Größe & Farbe",
  "two\nlines\u2028three",
  "raw \u009b31m \u202etxt ##[error]x",
  MADE_UP,
  "models",
  "Models",
  "a".repeat(191),
];
/** Volumes and templates together. */
const FLEET = sized(200, 50);
/** Variables that look like no secrets, and others. */
const PLAIN = { LOG_LEVEL: "info", MODEL_PATH: "/workspace/Llama-3-8B", MAX_TOKENS: "512" };
const CONCEALED = {
  "ODD KEY": SECRET,
  SAME: SECRET,
  DATABASE: `postgres://shop:${SECRET}@db/shop`,
  SETTINGS: `{"password":"${SECRET}"}`,
  HOOK: `https://example.com/hooks/${SECRET}aB3dE5fG7hI9`,
};

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
const base = stackForAll(() => ({ program: "", emulator }));
let adopted: Stack;
let printed: { exitCode: number | undefined; stdout: string; stderr: string };

const computecloud = (...args: string[]) => computecloudWith({}, ...args);
const computecloudWith = (more: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, [MAIN, ...args], { env: { ...base.env, ...more } });

/** One of every kind, with more than the defaults, and then many. */
async function fill(): Promise<void> {
  await using client = createClient(emulator);
  await client.sshKeys.put(["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6BjJHuWMn5fM2qv5b5kVx0Z6Cq3kWDH9m3c6X5V9oE ops"]);
  const registry = await client.registries.create(requests.registry("images"));
  const arn = "arn:aws:ecr:eu-west-1:123456789012:repository/team/embedder";
  await client.delegations.create({ resource: arn, name: "embedder" });
  const volume = await client.networkVolumes.create(requests.volume("models"));
  const template = await client.templates.create({
    ...requests.template("chat"),
    registry: registry.id,
    serverless: true,
    env: { TOKEN: SECRET, ...PLAIN, ...CONCEALED },
    args: "--port 80",
    allowedCudaVersions: ["12.4"],
  });
  const mounts = { persistent: { size: 20, path: "/data" } };
  await client.templates.create({ ...requests.template("notebook"), mounts, startSsh: false });
  await client.endpoints.save({
    ...requests.savedEndpoint("chat", template.id),
    networkVolumes: [volume.id],
    workers: { min: 0, max: 3, idleTimeout: 5 },
    dataCenterIds: ["EU-RO-1"],
    models: [MODEL],
  });
  await client.serverless.create({
    ...requests.endpoint("summarizer"),
    registry: registry.id,
    env: { TOKEN: SECRET },
    gpu: { pools: ["AMPERE_24", "ADA_24"], count: 2, excludedTypes: ["NVIDIA L4"], minCudaVersion: "12.1" },
    workers: { min: 0, max: 5 },
    networkVolumes: [volume.id],
    timeout: 60_000,
  });
  await client.serverless.create({
    name: "embedder",
    env: { PORT_HEALTH: "8081" },
    type: "LOAD_BALANCER",
    image: "registry.example.com/embedder:3",
    cpu: [{ id: "cpu5c", vcpuCount: 4 }],
    workers: { min: 0, max: 4, idleTimeout: 30 },
    scaling: { type: "REQUEST_COUNT", requestCount: 16 },
    ports: ["80/http", "8081/http"],
  });
  for (const LANGUAGE of ["en", "de", "fr"])
    await client.serverless.create({
      ...requests.endpoint(`translate-${LANGUAGE}`),
      env: { LANGUAGE, TOKEN: SECRET },
      networkVolumes: [volume.id],
      workers: LANGUAGE === "en" ? { max: 9 } : {},
    });
  await client.pods.create({
    ...requests.pod("dev"),
    env: { TOKEN: SECRET },
    ports: ["22/tcp"],
    startSsh: true,
    dataCenterIds: ["EU-RO-1"],
    mounts: { network: [{ volumeId: volume.id, path: "/workspace" }] },
  });
  await client.pods.create({ name: "batch", image: "busybox", cpu: { id: "cpu5c", vcpuCount: 2 }, disk: 10 });
  await client.clusters.create({ ...requests.cluster("training"), env: { TOKEN: SECRET } });
  await Promise.all(ODD_NAMES.map((name) => client.networkVolumes.create(requests.volume(name))));
  await Promise.all(
    Array.from({ length: FLEET - ODD_NAMES.length }, (_, n) =>
      client.templates.create({ ...requests.template(`worker-${n}`), args: `--rank ${n}` }),
    ),
  );
}

beforeAll(async () => {
  await fill();
  const project = join(base.folder, "fleet");
  printed = await computecloud("adopt", "--out", project, "--stack", "dev", "--plain-env");
  adopted = new Stack({ folder: base.folder, project, name: "dev", env: base.env });
});

const programText = () => readFile(join(adopted.project, "index.ts"), "utf8");

test("adopt writes a program that names what it can: references, and secrets that the configuration holds", async () => {
  expect(printed).toMatchObject({ exitCode: 0, stdout: "" });
  const text = await programText();
  expect(text).toContain("registry: images.id,");
  expect(text).toContain('TOKEN: config.requireSecret("chat.TOKEN")');
  expect(text).toMatch(/template: chat,/);
  expect(text).toMatch(new RegExp(`models: \\[\\s*"${MODEL}",?\\s*\\],`));
  expect(text).toMatch(/const models = new NetworkVolume\("models", \{/);
  expect(text).not.toMatch(/: (""|\[\]|\{\})/);
  expect(text).toContain('env: { PORT_HEALTH: "8081" }');
  expect(printed.stderr).toContain("pulumi config set --secret images.password   # the service never shows it");
});

test("adopt protects what holds data or serves, and nothing else", async () => {
  const declared = (await programText()).split(/^(?=(?:const \w+ = )?new [A-Z])/m).slice(1);
  const kinds = (isProtected: boolean) =>
    new Set(
      declared
        .filter((each) => each.includes("}, { protect: true });") === isProtected)
        .map((each) => /new (\w+)/.exec(each)?.[1]),
    );
  expect(kinds(true)).toEqual(
    new Set(["NetworkVolume", "ServerlessEndpoint", "ServerlessContainer", "Pod", "Cluster"]),
  );
  expect(kinds(false)).toEqual(new Set(["SshKeys", "Registry", "EcrDelegation", "Template"]));
  expect(printed.stderr).toMatch(/^\d+ hold data or serve: `protect: true` keeps runs from deleting them/m);
});

test("adopt leaves out what has a generated name, as another stack's, unless it is asked for", async () => {
  const { networkVolumes } = await service.state();
  const id = networkVolumes.find(({ name }) => name === MADE_UP)?.id;
  expect(await programText()).not.toContain(id);
  expect(printed.stderr).toContain(`--auto-named adopts them anyway.\n  NetworkVolume ${MADE_UP} (${id})\n`);
  const args = ["adopt", "--kind", "NetworkVolume", "--filter", MADE_UP, "--json"];
  const left = JSON.parse((await computecloud(...args)).stdout);
  expect(left).toMatchObject({ resources: [], leftOut: [{ kind: "NetworkVolume", id, name: MADE_UP }] });
  const taken = JSON.parse((await computecloud(...args, "--auto-named")).stdout);
  expect(taken).toMatchObject({ resources: [{ id }], leftOut: [] });
});

test("adopt writes no raw control or direction characters, and every one of them is adopted", async () => {
  const text = await programText();
  expect(text).not.toMatch(RAW);
  expect(text).toContain('"raw \\u009b31m \\u202etxt \\u0023#[error]x"');
});

test("adopt writes look-alikes as one table and a loop, with secrets by their logical names", async () => {
  const text = await programText();
  const row = (language: string, rest = "") =>
    `  { name: "translate-${language}", adoptId: "\\w+", LANGUAGE: "${language}"${rest} },\n`;
  expect(text).toMatch(
    new RegExp(
      `const translateContainers = \\[\n${row("fr")}${row("de")}${row("en", ", max: 9")}\\];\n` +
        "for \\(const { name, adoptId, LANGUAGE, max } of translateContainers\\) {\n  new ServerlessContainer\\(name, {",
    ),
  );
  expect(text).toMatch(/env: \{\s+LANGUAGE,\s+TOKEN: config\.requireSecret\(`\$\{name\}\.TOKEN`\),/);
  expect(text).toContain("networkVolumes: [models.id],");
  expect(await compiled(adopted.project)).toMatchObject(CLEAN);
});

test("adopt writes variables as they are that look like no secrets, if somebody agrees or says --plain-env", async () => {
  const args = ["adopt", "--kind", "Template", "--filter", "chat"];
  const { stdout } = await computecloud(...args);
  for (const name of Object.keys(PLAIN)) expect(stdout).toContain(`${name}: config.requireSecret("chat.${name}"),`);
  const text = (await computecloud(...args, "--plain-env")).stdout;
  for (const [name, value] of Object.entries(PLAIN)) expect(text).toContain(`${name}: "${value}",`);
  for (const name of ["TOKEN", "ODD_KEY"]) expect(text).toContain(`config.requireSecret("chat.${name}")`);
  expect(text).not.toContain(SECRET);
  const runWithInput = (input: string) => runOnTerminal(process.execPath, [MAIN, ...args], { env: base.env, input });
  for (const answer of ["yes", "no"]) {
    const output = (await runWithInput(`${answer}\n`)).stdout;
    expect(output).toContain("No secrets, as it seems: LOG_LEVEL, MAX_TOKENS, MODEL_PATH.");
    expect(output.includes('LOG_LEVEL: "info"')).toBe(answer === "yes");
  }
});

test("adopt leaves no secret in a file", async () => {
  const files = await readdir(adopted.project, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((each) => each.isFile()).map((each) => readFile(join(each.parentPath, each.name), "utf8")),
  );
  expect(texts.length).toBeGreaterThan(4);
  expect(texts.filter((text) => text.includes(SECRET) || text.includes("123456789012"))).toEqual([]);
  expect(JSON.stringify(printed)).not.toContain(SECRET);
});

test("adopt the preview says that nothing differs, and the up leaves the account as it is", async () => {
  const { username, password } = requests.registry("images");
  await adopted.setConfig("images.username", { secret: username });
  await adopted.setConfig("images.password", { secret: password });
  await service.forgetCalls();
  const preview = said(await adopted.preview());
  const adoptions = preview.match(/ is adopted: .*/g) ?? [];
  expect(adoptions.length).toBeGreaterThan(FLEET);
  expect(adoptions.filter((line) => !line.includes("nothing differs"))).toEqual([
    expect.stringMatching(/changes username \(secret\), password \(secret\)/),
  ]);

  const before = await service.state();
  await adopted.up();
  expect(await service.state()).toEqual(before);
  // The registry's credentials are what can't be read: they are sent.
  expect(await service.writes()).toEqual(["updateRegistry"]);
  expect((await adopted.preview()).changes).toEqual({ same: expect.any(Number) });
});

test("adopt takes only what is asked for, and needs no more rights", async () => {
  const key = "volumes-only";
  await service.settings({ keys: [{ key, kind: "restricted", areas: { volumes: "read-only" } }] });
  const few = { COMPUTECLOUD_API_KEY: key };
  const { exitCode, stdout, stderr } = await computecloudWith(few, "adopt", "--kind", "NetworkVolume", "--json");
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout).resources).toHaveLength(ODD_NAMES.length);
  const refused = await computecloudWith(few, "adopt", "--kind", "Pod", "ServerlessContainer");
  expect(refused).toMatchObject({ ...fails("Give the key read"), stdout: "" });
});

test("adopt writes what `pulumi import` takes", async () => {
  const file = join(base.folder, "import.json");
  const { exitCode, stdout, stderr } = await computecloud("adopt", "--kind", "Registry", "--import-file", file);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
  // An import asks the configuration for no secrets.
  expect(stderr).toBe(`1 resource.\nNext:\n  pulumi import --file ${file}\n`);
  const registry = { type: "computecloud:index:Registry", name: "images", id: expect.any(String) };
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ resources: [registry] });

  const urn = "urn:pulumi:dev::shop::pulumi:providers:computecloud::cloud";
  await computecloud("adopt", "--kind", "Registry", "--import-file", file, "--provider", `cloud=${urn}`);
  const resources = [{ ...registry, provider: "cloud" }];
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ nameTable: { cloud: urn }, resources });
  for (const wrong of [
    ["--lost", "shop"],
    ["--lost", "acme//dev"],
    ["--lost", "shop/dev"],
    // No name in the account proves that this stack was in it.
    ["--lost", "shop/prdo", "--out", join(base.folder, "mistyped")],
    ["--lost", "shop/dev", "--out", "shop", "--stack", "dev"],
    ["--lost", "shop/dev", "--out", "shop", "--kind", "Template"],
    ["--lost", "shop/dev", "--out", "shop", "--import-file", file],
    ["--provider", urn],
    ["--provider", `cloud=${urn}`],
  ])
    expect(await computecloud("adopt", ...wrong)).toMatchObject({ exitCode: 2, stdout: "" });
});

test("adopt goes on where Pulumi could not make the stack", async () => {
  const project = join(base.folder, "it's ours");
  const args = ["adopt", "--kind", "Pod", "--filter", "dev", "--out", project, "--stack", "dev"];
  const failed = await computecloudWith({ PULUMI_CONFIG_PASSPHRASE: undefined }, ...args);
  expect(failed).toMatchObject(fails("passphrase"));
  const { exitCode, stderr } = await computecloud(...args);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`  cd '${project.replace("'", "'\\''")}' && npm install\n`);
  expect(await readFile(join(project, "index.ts"), "utf8")).toContain("adoptId");
  expect(await readFile(join(project, "Pulumi.dev.yaml"), "utf8")).toContain("dev.TOKEN");
});

test("adopt goes on where it was killed, and keeps no secret twice", async () => {
  const project = join(base.folder, "killed");
  const [shim, log] = [join(base.folder, "shim"), join(base.folder, "commands")];
  // The second secret kills the command that keeps it.
  const real = base.env.PATH?.split(delimiter).find((each) => existsSync(join(each, "pulumi")));
  const script = `echo "$1 $2" >> '${log}'\n[ "$1 $2" != "config set" ] || [ "$(grep -c "config set" '${log}')" != 2 ] || { kill -9 $PPID; exit 1; }\n`;
  await scriptedEngine(shim, `${script}exec '${real}/pulumi' "$@"`);
  const env = { PATH: [shim, base.env.PATH].join(delimiter) };
  const args = ["--kind", "ServerlessContainer", "--filter", "translate", "--plain-env", "--out", project];
  const command = () => computecloudWith(env, "adopt", ...args, "--stack", "dev");
  expect(await command()).toMatchObject({ exitCode: undefined });
  const program = await readFile(join(project, "index.ts"), "utf8");
  expect(await command()).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(project, "index.ts"), "utf8")).toBe(program);
  expect((await readFile(join(project, "Pulumi.dev.yaml"), "utf8")).match(/secure:/g)).toHaveLength(3);
  // One before the kill, the one that was cut, and only this one again.
  expect((await readFile(log, "utf8")).split("\n").filter((each) => each === "config set")).toHaveLength(4);
});

test("adopt overwrites no program", async () => {
  await appendFile(join(adopted.project, "index.ts"), "// by hand\n");
  const before = await programText();
  expect(await computecloud("adopt", "--out", adopted.project)).toMatchObject(fails("is there already"));
  expect(await programText()).toBe(before);
});
