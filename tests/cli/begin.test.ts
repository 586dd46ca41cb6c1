/* The first ten minutes: `init`, `doctor`, and the templates that `pulumi new` takes. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { version } from "../../package.json";
import schema from "../../schema.json";
import { getEngine } from "../../tools/engine/engine";
import { checkout, stackEnv } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { fails, MAIN, scriptedEngine } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/place";

const KEY = "a-key-of-few-rights";

const place = placeForAll({
  settings: { rateLimitExempt: true, keys: [{ key: KEY, kind: "restricted", areas: { templates: "read-only" } }] },
});
const folder = folderForAll();
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  await mkdir(folder.at("backend"));
  env = stackEnv({ engineFolder: (await getEngine()).folder, folder: folder.path, emulator: place.emulator });
});

const computecloud = (args: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = folder.path) =>
  run(process.execPath, [MAIN, ...args], { cwd, env: { ...env, ...more } });

/** A project without a program. @returns its folder */
async function emptyProject(name: string): Promise<string> {
  await mkdir(folder.at(name));
  await writeFile(folder.at(name, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
  return folder.at(name);
}

describe("init", () => {
  test.each([
    ["typescript", "index.ts", "npm install"],
    ["python", "__main__.py", "pulumi install"],
    ["go", "main.go", "pulumi install"],
    ["yaml", "Pulumi.yaml", "plugin install"],
  ])("writes a project in %s, with a pipeline, and prints the next steps", async (language, program, install) => {
    const { stdout } = await computecloud(["init", language, "--language", language]);
    const steps = stdout.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));
    expect(steps.slice(0, 2)).toEqual([`cd ${language}`, "npm install"]);
    expect(steps.slice(1).filter((step) => step.endsWith(install))).toHaveLength(1);
    expect(steps.slice(-3)).toEqual(["export COMPUTECLOUD_API_KEY=…", "pulumi stack init dev", "pulumi up"]);
    const files = await readdir(folder.at(language), { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining([program, "Pulumi.yaml", "Pulumi.dev.yaml", ".gitignore", ".github/workflows/gpu.yml"]),
    );
    const project = await readFile(folder.at(language, "Pulumi.yaml"), "utf8");
    expect(parse(project)).toMatchObject({ name: language });
    expect(project).not.toMatch(/\$\{(PROJECT|DESCRIPTION)\}|^template:/m);
    // A folder in place of a version fails with engine 3.250.
    if (language !== "python" && language !== "go") return;
    expect(parse(project)).toMatchObject({ packages: { computecloud: expect.stringMatching(/^computecloud@\d/) } });
    if (language === "go") return;
    expect(await readFile(folder.at(language, "requirements.txt"), "utf8")).toMatch(/^sdks\/computecloud$/m);
  });

  // A program beside another one is not run, and its stack would be one of the other project.
  test.each(["Pulumi.yaml", "Pulumi.yml"])(
    "like adopt, writes nothing beside the %s of another project",
    async (name) => {
      await mkdir(folder.at("shop"), { recursive: true });
      await writeFile(folder.at("shop", name), "name: shop\nruntime: python\n");
      for (const args of [
        ["init", "shop"],
        ["adopt", "--out", "shop"],
        ["adopt", "--out", "shop", "--lost", "store/prod", "--auto-named"],
      ])
        expect(await computecloud(args)).toMatchObject(fails(`${join("shop", name)} is there already`));
      expect(await readdir(folder.at("shop"))).toEqual([name]);
      await rm(folder.at("shop"), { recursive: true });
    },
  );

  test.each([
    ["42", "42"],
    ["日本", "computecloud"],
    [".my fleet (v2)", "my-fleet-v2"],
    ["x".repeat(120), "x".repeat(100)],
  ])("makes of a folder %s a project that Pulumi takes", async (name, project) => {
    expect(await computecloud(["init", name])).toMatchObject({ exitCode: 0 });
    const target = folder.at(name);
    expect(JSON.parse(await readFile(join(target, "package.json"), "utf8"))).toMatchObject({ name: project });
    expect(await run("pulumi", ["stack", "init", "dev"], { cwd: target, env })).toMatchObject({ exitCode: 0 });
    expect(await readdir(folder.at("backend/.pulumi/stacks"))).toContain(project);
  });

  test("goes where npm has been: what is there stays, and the next line brings what it lacks", async () => {
    const target = folder.at("it's mine");
    await mkdir(target);
    const theirs = { name: "mine", main: "index.js", dependencies: { "pulumi-computecloud": "file:../x.tgz" } };
    await writeFile(join(target, "package.json"), JSON.stringify(theirs));
    const { stdout } = await computecloud(["init", "it's mine"]);
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(join(checkout, "templates/typescript/package.json"), "utf8"),
    );
    const [left, , ...next] = stdout.split("\n").map((line) => line.trim());
    expect(left).toBe(`Left as it was: ${join("it's mine", "package.json")}. What you delete is written again.`);
    expect(next.slice(0, 4)).toEqual([
      "cd 'it'\\''s mine'",
      "npm pkg set main=index.ts",
      `npm install '@pulumi/pulumi@${dependencies["@pulumi/pulumi"]}'`,
      `npm install --save-dev '@types/node@${devDependencies["@types/node"]}' 'typescript@${devDependencies.typescript}'`,
    ]);
    expect(JSON.parse(await readFile(join(target, "package.json"), "utf8"))).toEqual(theirs);
  });

  test("--with adds the examples' own policies and pipelines, with a range of this version", async () => {
    const parts = {
      "policy/PulumiPolicy.yaml": "examples/policy/PulumiPolicy.yaml",
      "policy/index.ts": "examples/policy/index.ts",
      ".github/workflows/gpu.yml": "docs/pipelines/github.yml",
      "gpu.gitlab-ci.yml": "docs/pipelines/gitlab.yml",
      "kubernetes.yaml": "docs/pipelines/kubernetes.yaml",
    };
    const text = (...path: string[]) => readFile(join(...path), "utf8");
    const isWhole = async (name: string, stack: string) => {
      for (const [path, source] of Object.entries(parts))
        expect(withoutPack(await text(folder.path, name, path))).toBe(
          (await text(checkout, source)).replaceAll(/\bprod\b/g, stack),
        );
      for (const path of [".github/workflows/gpu.yml", "gpu.gitlab-ci.yml"]) {
        const pipeline = await text(folder.path, name, path);
        expect(pipeline.match(/pulumi (preview|up) --policy-pack policy -/g)?.length).toBe(2);
        expect(pipeline).not.toMatch(/pulumi (preview|up) -(?!-policy-pack)/);
        // Before the first of them.
        expect(pipeline).toMatch(/npm ci\n.*npm ci --prefix policy\n[\s\S]*pulumi preview/);
      }
      const { dependencies } = JSON.parse(await text(folder.path, name, "policy/package.json"));
      // Without TypeScript of its own a pack gets Pulumi's, 3.8, which can't read this one.
      expect(dependencies).toMatchObject({ "pulumi-computecloud": `^${version}`, typescript: ">=5.9 <7" });
    };
    expect(await computecloud(["init", "guarded", "--with", "policy,pipeline"])).toMatchObject({ exitCode: 0 });
    await isWhole("guarded", "dev");
    expect(await readdir(folder.at("guarded/.github/workflows"))).toEqual(["gpu.yml"]);

    // A project that is there gets these files and no others.
    const grown = await emptyProject("grown");
    await writeFile(join(grown, "package.json"), "{}");
    const { stdout } = await computecloud(["init", "--with", "pipeline,policy", "--json"], {}, grown);
    expect(JSON.parse(stdout).written.sort()).toEqual(
      [...Object.keys(parts), ".gitlab-ci.yml", "policy/package.json"].sort(),
    );
    await isWhole("grown", "prod");
    expect(await computecloud(["init", "other", "--with", "polices"])).toMatchObject(
      fails('--with takes policy or pipeline or watch or schedule, or several with commas, not "polices"'),
    );
  });

  test("--with schedule writes the times of a schedule, in UTC and of both seasons", async () => {
    const grown = await emptyProject("by-the-clock");
    const rules = [{ days: "mon-fri", from: "08:30", to: "24:00", workersMax: 3 }];
    await writeFile(join(grown, "schedule.json"), JSON.stringify({ timezone: "Europe/Berlin", rules }));
    const init = (...args: string[]) => computecloud(["init", ...args], {}, grown);
    const { stdout } = await init("--with", "schedule", "--schedule", "schedule.json");
    expect(stdout).toMatch(/git init\n +git add --all .*write it again when they change/);
    expect(stdout.match(/glab .* SCHEDULE:gpu-prod --cron ".*"/g)).toHaveLength(4);
    expect(stdout).toContain('--cron "30 6 * * 1-5"');
    const workflow = await readFile(join(grown, ".github/workflows/schedule.yml"), "utf8");
    expect(workflow.match(/cron: ".*"/g)).toEqual(
      ["30 6", "30 7", "0 22", "0 23"].map((time) => `cron: "${time} * * 1-5"`),
    );
    await writeFile(join(grown, "wrong.json"), "{}");
    for (const args of [
      ["--with", "schedule"],
      ["--schedule", "schedule.json"],
    ])
      expect(await init(...args)).toMatchObject(fails("--with schedule and --schedule need each other"));
    const wrong = await init("--with", "schedule", "--schedule", "wrong.json");
    expect(wrong).toMatchObject(fails("wrong.json is not a schedule"));
  });

  test("--emulator names the addresses of an emulator at port 4010", async () => {
    const { stdout } = await computecloud(["init", "trial", "--emulator", "--with", "pipeline", "--json"]);
    expect(await readFile(folder.at("trial/.github/workflows/gpu.yml"), "utf8")).toContain("PULUMI_STACK: prod");
    expect(JSON.parse(stdout).next[2]).toContain("emulator --port 4010 &");
    const { config } = parse(await readFile(folder.at("trial", "Pulumi.trial.yaml"), "utf8"));
    expect(config).toEqual({
      "computecloud:apiKey": "emulator-key",
      "computecloud:baseUrl": "http://127.0.0.1:4010",
      "computecloud:serverlessUrl": "http://127.0.0.1:4011",
      "computecloud:graphqlUrl": "http://127.0.0.1:4010/graphql",
    });
  });
});

/** A pipeline as it is without a policy pack. */
const withoutPack = (text: string) =>
  text.replaceAll(" --policy-pack policy", "").replaceAll(/^.*npm ci --prefix policy\n/gm, "");

describe("a template", () => {
  // In the other languages the engine asks for a host that tests have not; `init` fills in the same files.
  test("in TypeScript is taken by pulumi new", async () => {
    const target = folder.at("new-typescript");
    const args = ["new", join(checkout, "templates/typescript"), "--generate-only", "--yes", "--dir", target];
    const names = ["--name", "mine", "--description", "d"];
    expect(await run("pulumi", [...args, ...names], { cwd: folder.path, env })).toMatchObject({ exitCode: 0 });
    const project = parse(await readFile(join(target, "Pulumi.yaml"), "utf8"));
    expect(project).toMatchObject({ name: "mine", description: "d" });
  });

  test.each(["templates", "examples"])("in YAML, among the %s, declares what the schema knows", async (room) => {
    const { resources } = parse(await readFile(join(checkout, room, "yaml/Pulumi.yaml"), "utf8")) as {
      resources: Record<string, { type: string; properties: object }>;
    };
    const kinds: Readonly<Record<string, { inputProperties: object }>> = schema.resources;
    for (const { type, properties } of Object.values(resources)) {
      const kind = kinds[type.replace(":", ":index:")];
      expect(Object.keys(kind?.inputProperties ?? {})).toEqual(expect.arrayContaining(Object.keys(properties)));
    }
  });
});

/** What the doctor finds of one thing. */
const finding = (result: string, pattern: RegExp, fix = /^/) =>
  expect.objectContaining({
    result,
    found: expect.stringMatching(pattern),
    ...(fix.source !== "^" && { fix: expect.stringMatching(fix) }),
  });

describe("doctor", () => {
  /** Where only the service's answers count: the engine is asked six times. */
  const NO_ENGINE = { PATH: "/nowhere" };
  const WRONG_KEY = { COMPUTECLOUD_API_KEY: "wrong-key" };
  const findings = async (more: NodeJS.ProcessEnv = {}, cwd = folder.path) => {
    const { stdout, exitCode } = await computecloud(["doctor", "--json"], more, cwd);
    const { findings: all }: { findings: { check: string; result: string; found: string }[] } = JSON.parse(stdout);
    return { exitCode, of: (check: string) => all.find((each) => each.check === check), all };
  };

  test("finds everything in order", async () => {
    const { exitCode, all, of } = await findings();
    expect(of("account")).toEqual(finding("ok", /^user_emulated, user@emulator\.invalid; in states 94a2fa9b$/));
    expect(all.filter(({ result }) => result === "failed")).toEqual([]);
    expect(all.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["Node", "engine", "backend", "GraphQL", "queue", "clock"]),
    );
    expect(exitCode).toBe(0);
  });

  test("names what needs GraphQL, and says when it is used no more", async () => {
    const { service } = place;
    const body = { name: "doctor", image: "example.com/a:1", serverless: true };
    const templateId = await service.create("/v2/templates", body);
    const id = await service.saveEndpoint({ name: "far", gpuIds: "ADA_24", templateId, locations: "RO" });
    expect((await findings(NO_ENGINE)).of("GraphQL")).toMatchObject(
      finding("hint", /early in 2027.* 1 of 1 endpoints need it for countries in locations: far$/),
    );
    await service.settings({ graphqlEndsAt: new Date(0).toISOString() });
    expect((await findings(NO_ENGINE)).of("GraphQL")).toMatchObject(finding("ok", /not used/));
    await service.settings({ graphqlEndsAt: null });
    await service.rest("DELETE", `/v2/serverless/${id}`);
  });

  test("tells what a key may not read, which is not a failure", async () => {
    const { of, exitCode } = await findings({ COMPUTECLOUD_API_KEY: KEY });
    expect(of("templates")).toMatchObject({ result: "ok" });
    expect(of("account")).toMatchObject({ result: "hint", found: "the key may not read the account" });
    expect(of("pods")).toMatchObject({ result: "hint", found: "the key may not read it" });
    expect(exitCode).not.toBe(2);
  });

  test("says what to do about a wrong key, no engine, no backend and a proxy without a scheme", async () => {
    const { of, exitCode, all } = await findings({ ...NO_ENGINE, ...WRONG_KEY, HTTP_PROXY: "proxy:1" });
    expect(exitCode).toBe(1);
    expect(of("engine")).toMatchObject(finding("failed", /^pulumi is not on PATH$/, /^install the Pulumi CLI$/));
    expect(of("backend")).toMatchObject({ result: "failed", fix: expect.stringContaining("pulumi login") });
    expect(of("proxy")).toMatchObject({ result: "failed", fix: expect.stringContaining("http://") });
    expect(of("service")).toMatchObject(finding("failed", /Write it with its scheme/));
    expect(JSON.stringify(all)).not.toContain("wrong-key");
  });

  test("says once, and not for each area, that the key is refused", async () => {
    const { of, exitCode, all } = await findings({ ...NO_ENGINE, ...WRONG_KEY });
    expect(exitCode).toBe(1);
    expect(of("key")).toMatchObject({ result: "failed", found: expect.stringContaining("401") });
    expect(JSON.stringify(all).split("401 Unauthorized")).toHaveLength(2);
  });

  test("says what is missing where nothing is set, for people too", async () => {
    const nothing = { COMPUTECLOUD_API_KEY: "", COMPUTECLOUD_BASE_URL: "" };
    const stdout = expect.stringMatching(/^FAILED {2}settings .*Set COMPUTECLOUD_API_KEY/m);
    expect(await computecloud(["doctor"], nothing)).toMatchObject({ exitCode: 1, stdout });
  });

  test("judges the configuration of the stack that is selected, which wins over the environment", async () => {
    const { apiKey, baseUrl, serverlessUrl, graphqlUrl } = place.emulator;
    const project = await emptyProject("configured");
    const pulumi = (...args: string[]) => run("pulumi", args, { cwd: project, env });
    await pulumi("stack", "init", "dev");
    for (const [key, value] of Object.entries({ baseUrl, serverlessUrl, graphqlUrl }))
      await pulumi("config", "set", `computecloud:${key}`, value);
    await pulumi("config", "set", "--secret", "computecloud:apiKey", apiKey);
    const wrong = { ...WRONG_KEY, COMPUTECLOUD_BASE_URL: "" };
    const judged = await findings(wrong, project);
    expect(judged.of("stack")).toMatchObject(finding("ok", /^dev sets .*computecloud:apiKey/));
    expect((await findings({ ...wrong, PULUMI_CONFIG_PASSPHRASE: "wrong" }, project)).of("stack")).toEqual(
      finding("failed", /^the configuration of dev can't be read: .*passphrase/, /PULUMI_CONFIG_PASSPHRASE/),
    );
    await pulumi("config", "set", "computecloud:cluod", "runpod");
    expect((await findings(wrong, project)).of("stack")).toEqual(
      finding("failed", /^dev sets computecloud:cluod, which is not a setting; did you mean "cloud"\?$/),
    );
    await pulumi("config", "rm", "computecloud:cluod");
    expect(judged.of("templates")).toMatchObject({ result: "ok" });
    expect(judged.exitCode).toBe(0);
    const listed = await findings({ ...wrong, COMPUTECLOUD_ALLOWED_ACCOUNTS: "user_other" }, project);
    expect(listed.of("account")).toMatchObject(finding("failed", /which allowedAccounts does not list/));
    const scaling = { type: "REQUEST_COUNT", requestCount: 1 };
    const body = { name: "api", image: "a/b:1", cpu: [{ id: "cpu5c", vcpuCount: 2 }], scaling };
    const endpoint = (type: string) => place.service.create("/v2/serverless", { ...body, type });
    const [balancer, queue] = [await endpoint("LOAD_BALANCER"), await endpoint("QUEUE")];
    const resource = (type: string, name: string, outputs: object, more: object = { custom: true, id: name }) => ({
      urn: `urn:pulumi:dev::configured::${type}::${name}`,
      type,
      outputs,
      ...more,
    });
    // A run with nothing to do would be green.
    const resources = [
      resource("pulumi:pulumi:Stack", "configured-dev", { __account: "0a1b2c3d" }, {}),
      resource("computecloud:index:SmokeJob", "runs", { endpointId: balancer }),
      resource("computecloud:index:SmokeRequest", "asks", { endpointId: queue, path: "/predict" }),
      resource("computecloud:index:SmokeRequest", "predicts", { endpointId: balancer, path: "/predict" }),
      resource("computecloud:index:SmokeRequest", "says-hello", { endpointId: queue, chat: "Say hello" }),
    ];
    const manifest = { time: "2026-11-01T00:00:00Z", magic: "", version: "" };
    const recorded = { version: 3, deployment: { manifest, resources } };
    await writeFile(join(project, "state.json"), JSON.stringify(recorded));
    expect(await pulumi("stack", "import", "--file", "state.json")).toMatchObject({ exitCode: 0 });
    const elsewhere = await findings(wrong, project);
    const misfits = `do not fit the types of their endpoints: runs on ${balancer}, asks on ${queue}`;
    expect(elsewhere.of("gates")).toMatchObject({ result: "failed", found: misfits });
    expect(elsewhere.of("account")).toMatchObject(finding("failed", /and the stack's resources are in 0a1b2c3d/));
    expect(elsewhere.exitCode).toBe(1);
    // Without its passphrase it can't be read.
    const unread = await findings({ PULUMI_CONFIG_PASSPHRASE: undefined }, project);
    expect(unread.of("stack")).toMatchObject({ result: "failed", found: expect.stringContaining("passphrase") });
    expect(JSON.stringify([judged.all, unread.all])).not.toContain(apiKey);
  });

  test("names a stack that is missing and a project that is broken for what they are", async () => {
    const project = await emptyProject("incomplete");
    expect((await findings({}, project)).of("stack")).toEqual(finding("hint", /no stack selected/));
    await run("pulumi", ["stack", "init", "dev", "--no-select"], { cwd: project, env });
    const missing = await findings({ PULUMI_STACK: "prod" }, project);
    const wayOut = /^pulumi stack init prod, or set PULUMI_STACK/;
    expect(missing.of("stack")).toEqual(finding("failed", /names prod, and this project has dev$/, wayOut));
    await writeFile(join(project, "Pulumi.yaml"), "name: in: complete\n");
    const broken = await findings({}, project);
    expect(broken.of("stack")).toEqual(
      finding("failed", /^Pulumi can't use the project: ./, /^correct .*incomplete.Pulumi\.yaml, or what/),
    );
    expect([missing.exitCode, broken.exitCode]).toEqual([1, 1]);
  });

  test("names the backend's folder in full, spaces and all", async () => {
    const backend = folder.at("back end ü");
    await mkdir(backend);
    const { of } = await findings({ PULUMI_BACKEND_URL: `file://${backend}` });
    expect(of("backend")).toMatchObject({ result: "ok", found: `file://${backend}` });
  });

  test("tells an old engine, and why a backend does not answer, without its password", async () => {
    const address = "postgres://states:hunter2@db.example.com/states";
    const script = `[ "$1" = version ] && echo v3.100.0 || { echo "error: no answer from ${address}" >&2; exit 255; }`;
    const { of, all, exitCode } = await findings(await scriptedEngine(await mkdtemp(folder.at("old-")), script));
    expect(exitCode).toBe(1);
    expect(of("engine")).toMatchObject(finding("failed", /^pulumi v3\.100\.0$/, /3\.142/));
    expect(of("backend")?.found).toContain("no answer from postgres://states:[secret]@db.example.com");
    expect(JSON.stringify(all)).not.toContain("hunter2");
  });

  test.each([
    ["in its parameters", "postgres://db.example.com:5432/states?sslmode=require&user=u&password=p@hunter2"],
    ["with an @ in it", "postgres://u:p@hunter2@db.example.com/states"],
    ["with a slash in it", "postgres://u:p/hunter2@db.example.com:5432/states?sslmode=require"],
  ])("shows no password of a backend, %s, also where the engine repeats it alone", async (_, url) => {
    const refusal = `error: password "p@hunter2" or p/hunter2 was refused by db.example.com`;
    const script = `[ "$1" = whoami ] && echo "Backend URL: $PULUMI_BACKEND_URL" || { echo '${refusal}' >&2; exit 255; }`;
    const engine = await scriptedEngine(await mkdtemp(folder.at("backend-")), script);
    const { all, of } = await findings({ ...engine, PULUMI_BACKEND_URL: url });
    expect(of("backend")?.found).toContain("db.example.com");
    expect(of("backend")?.found).toContain("[secret]");
    const report = JSON.stringify(all);
    expect(report.replaceAll(url.includes("p/") ? "p@hunter2" : "p/hunter2", "")).not.toContain("hunter2");
    expect(report).toContain("was refused by db.example.com");
  });
});
