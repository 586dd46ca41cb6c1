/*
 * `init` where people are: in a folder of a repository, with other package managers, other languages and odd names. The steps that
 * it prints are pasted in order, and what its pipelines then install is there. npm and Pulumi are stand-ins that keep npm's
 * rule: `npm ci` needs a lock file, and each command its folder.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { version } from "../../package.json";
import { checkout } from "../../tools/run/environment";
import { run, runOrThrow } from "../../tools/run/process";
import { MAIN, scripted } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";

const NPM = `case "$* " in
  "ci "*) set -- ci "$2" "\${3:-.}"; [ -f "$3/package-lock.json" ] || { echo "npm ci: no lock file in $PWD/$3" >&2; exit 1; } ;;
  "install --no-save "*) ;;
  "install --prefix "*) echo '{}' > "$3/package-lock.json" ;;
  "install "*) echo '{}' > package-lock.json ;;
esac
echo "npm $*" >> "$STEPS"
`;
const LOCKED = (
  name: string,
  lock: string,
) => `case "$1" in install) [ -f ${lock} ] || { echo "${name}: no ${lock} in $PWD" >&2; exit 1; } ;; esac
echo "${name} $*" >> "$STEPS"
`;
/** Needs the folder of the project. */
const IN_PROJECT = `[ -f Pulumi.yaml ] || { echo "$0: no project in $PWD" >&2; exit 1; }
echo "\${0##*/} $*" >> "$STEPS"
`;

const folder = folderForAll();
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  const tools = await scripted(folder.at("bin"), {
    npm: NPM,
    npx: IN_PROJECT,
    pulumi: IN_PROJECT,
    corepack: 'echo "corepack $*" >> "$STEPS"',
    pnpm: LOCKED("pnpm", "pnpm-lock.yaml"),
    yarn: LOCKED("yarn", "yarn.lock"),
    bun: LOCKED("bun", "bun.lock"),
  });
  const git = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
  env = { ...process.env, ...git, ...tools, GIT_CONFIG_GLOBAL: "/dev/null", STEPS: folder.at("steps.log") };
});

const runScript = (script: string, cwd: string) => runOrThrow("bash", ["--norc", "-e", "-c", script], { cwd, env });

/** What ran since the last call. */
async function steps(): Promise<string[]> {
  const text = await readFile(folder.at("steps.log"), "utf8").catch(() => "");
  await rm(folder.at("steps.log"), { force: true });
  return text.split("\n").filter((line) => line !== "");
}

async function init(cwd: string, ...args: string[]) {
  const stdout = await runOrThrow(process.execPath, [MAIN, "init", ...args, "--json"], { cwd, env });
  return JSON.parse(stdout) as { written: string[]; kept: string[]; next: string[]; notes: string[] };
}

/** The commands of a GitHub job up to its update, in the folder where they run. */
async function github(root: string, file: string) {
  const workflow = parse(await readFile(join(root, ".github/workflows", file), "utf8"));
  const cwd = join(root, workflow.defaults?.run["working-directory"] ?? ".");
  const lines: string[] = workflow.jobs.up.steps.map(({ run: line = "" }) => line);
  const setup = workflow.jobs.up.steps.find(({ uses = "" }) => uses.startsWith("actions/setup-node"));
  const installs = lines.filter((line) => line !== "" && !/doctor|unlock/.test(line));
  return { workflow, cwd, installs, cache: setup.with };
}

const PLUGIN = "npx pulumi-computecloud plugin install";
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  typescript: [],
  python: [PLUGIN, "pulumi install"],
  go: [PLUGIN, "pulumi install"],
  yaml: [PLUGIN],
};
const OPTIONS = [[], ["--with", "policy"], ["--with", "pipeline"], ["--with", "policy,pipeline"], ["--with", "watch"]];
const SCHEDULED = ["--with", "schedule", "--schedule", "../schedule.json"];
/** Every option, and in the other languages those that install most. */
const combinations = Object.keys(LANGUAGES).flatMap((language) =>
  (language === "typescript" ? [...OPTIONS, ["--emulator"], SCHEDULED] : [[], ["--with", "policy,pipeline"]]).map(
    (options): [string, string[]] => [language, options],
  ),
);

/** Pasted in order; a command that goes on waits in the background. */
const pasted = (next: readonly string[]) => next.map((line) => line.replace("…", "key")).join("\n");

test.each(combinations)(
  "in %s, %j: the printed steps run in order, and pipelines install",
  async (language, options) => {
    const at = await mkdtemp(folder.at("mein Büro "));
    const schedule = { timezone: "UTC", rules: [{ from: "08:00", to: "20:00", workersMax: 2 }] };
    await writeFile(join(at, "../schedule.json"), JSON.stringify(schedule));
    const { next, kept } = await init(at, "flotte ä 1", "--language", language, ...options);
    expect(kept).toEqual([]);
    await runScript(`${pasted(next)}\nwait`, at);
    const ran = await steps();
    expect(ran).toEqual(expect.arrayContaining(["npm install", ...(LANGUAGES[language] ?? [])]));
    expect(ran.indexOf("npm install")).toBe(0);
    const project = join(at, "flotte ä 1");
    if (!(await readdir(project)).includes(".git")) return;

    // What another machine gets, and what it installs there.
    await runScript("git commit --quiet --message=first && git clone --quiet . ../clone", project);
    const clone = join(at, "clone");
    const { cwd, installs } = await github(clone, options === SCHEDULED ? "schedule.yml" : "gpu.yml");
    for (const line of installs) await runScript(line, cwd);
    const packs = options.includes("policy,pipeline") ? ["npm ci --prefix policy"] : [];
    expect(await steps()).toEqual([expect.stringMatching(/^npm ci/), ...packs, ...(LANGUAGES[language] ?? [])]);
  },
);

/** The folder's name with the hash of what can't be read from it. */
const FILE = "gpu-infra--u-1-0fdd83.yml";
const CACHED = { cache: "npm", "cache-dependency-path": "infra/ü 1/package-lock.json" };
test.each<[string, Readonly<Record<string, string>>, string[], object]>([
  ["npm", { "package-lock.json": "{}" }, ["npm ci"], CACHED],
  ["pnpm", { "pnpm-lock.yaml": "" }, ["corepack enable", "pnpm install --frozen-lockfile"], {}],
  ["a workspace of pnpm", { "../../pnpm-lock.yaml": "" }, ["corepack enable", "pnpm install --frozen-lockfile"], {}],
  ["yarn 1", { "yarn.lock": "# yarn lockfile v1" }, ["corepack enable", "yarn install --frozen-lockfile"], {}],
  ["yarn 4", { "yarn.lock": "__metadata:\n" }, ["corepack enable", "yarn install --immutable"], {}],
  ["bun", { "bun.lock": "" }, ["npm install --global bun", "bun install --frozen-lockfile"], {}],
  ["no package.json", {}, [`npm install --no-save --no-package-lock pulumi-computecloud@${version}`], {}],
])("a project with %s in a folder of a repository installs its own way there", async (name, files, installs, cache) => {
  const root = await mkdtemp(folder.at("repository-"));
  const project = join(root, "infra/ü 1");
  await mkdir(project, { recursive: true });
  const language = name === "no package.json" ? "python" : "nodejs";
  const projectFiles = {
    "Pulumi.yaml": `name: x\nruntime: ${language}\n`,
    "Pulumi.My_Stack.2.yaml": "",
    ".gitignore": "",
  };
  const manifest = name === "no package.json" ? {} : { "package.json": '{"dependencies":{"pulumi-computecloud":"1"}}' };
  for (const [path, text] of Object.entries({ ...projectFiles, ...manifest, ...files })) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  await runScript("git init --quiet", root);
  const { written, notes, next } = await init(project, "--with", "policy,pipeline");
  expect(written.sort()).toEqual(
    [
      `../../.github/workflows/${FILE}`,
      "../../.gitlab-ci.yml",
      "gpu.gitlab-ci.yml",
      "kubernetes.yaml",
      ...["PulumiPolicy.yaml", "index.ts", "package.json"].map((file) => `policy/${file}`),
    ].sort(),
  );
  expect(notes).toEqual([
    `The pipelines are in ${root}, the repository's root, and run in infra/ü 1.`,
    "The Kubernetes operator enforces no policies: let another pipeline check them before main.",
  ]);
  await runScript(pasted(next), project);
  await steps();

  const checker = [join(__dirname, "workflowErrors.mjs"), join(root, `.github/workflows/${FILE}`)];
  expect((await run(process.execPath, checker, { cwd: checkout })).stdout).toBe("[]\n");
  const inProject = ["gpu.gitlab-ci.yml", "kubernetes.yaml"].map((file) => `infra/ü 1/${file}`);
  for (const file of [`.github/workflows/${FILE}`, ".gitlab-ci.yml", ...inProject])
    expect(await readFile(join(root, file), "utf8")).not.toMatch(/\bprod\b/);
  const { workflow, cwd, installs: lines, cache: cached } = await github(root, FILE);
  const { "node-version": _, ...cacheInputs } = cached;
  expect(cacheInputs).toEqual(cache);
  expect(workflow).toMatchObject({
    name: expect.stringMatching(/^gpu-infra--u-1--my-stack-2-[0-9a-f]{6}$/),
    env: { NAME: workflow.name, PULUMI_STACK: "My_Stack.2" },
    jobs: { up: { concurrency: workflow.name } },
  });
  // A workspace's lock file is found from its folders.
  if (!name.startsWith("a workspace")) for (const line of lines) await runScript(line, cwd);
  const after = language === "nodejs" ? [] : [PLUGIN, "pulumi install"];
  expect(lines).toEqual([...installs, "npm ci --prefix policy", ...after]);

  const included = parse(await readFile(join(root, ".gitlab-ci.yml"), "utf8"));
  expect(included).toEqual({ include: [{ local: "infra/ü 1/gpu.gitlab-ci.yml" }] });
  const gitlab = parse(await readFile(join(project, "gpu.gitlab-ci.yml"), "utf8"));
  const enter = 'cd "infra/ü 1"';
  const before: string[] = gitlab[`.${workflow.name}`].before_script;
  expect(before.map((line) => line.replace(/^env .* GITLAB_TOKEN /, ""))).toEqual([enter, ...lines]);
  const after_script = [enter, expect.stringContaining("unlock")];
  expect(gitlab[`${workflow.name}:up`]).toMatchObject({ after_script, environment: workflow.name });
  const starts = name === "yarn 4" ? "yarn" : "npx";
  expect(gitlab[`${workflow.name}:unlock`].script).toEqual([`${starts} pulumi-computecloud unlock $LOCK`]);
  const [, stack] = parseAllDocuments(await readFile(join(project, "kubernetes.yaml"), "utf8"));
  expect(stack?.toJS()).toMatchObject({
    metadata: { name: workflow.name },
    spec: { stack: "My_Stack.2", repoDir: "infra/ü 1" },
  });
});

test("a repository's own pipeline of GitLab stays, and is told to include the project's", async () => {
  const root = await mkdtemp(folder.at("repository-"));
  const theirs = "preview:\n  script: [make]\n";
  await writeFile(join(root, ".gitlab-ci.yml"), theirs);
  await runScript("git init --quiet", root);
  const { next, kept } = await init(root, "infra", "--with", "pipeline");
  expect(kept).toEqual([]);
  expect(next).toContain('# in .gitlab-ci.yml: include: [{ local: "infra/gpu.gitlab-ci.yml" }]');
  expect(await readFile(join(root, ".gitlab-ci.yml"), "utf8")).toBe(theirs);
  // Once it does, or where the pipeline is ours, nothing is left to do.
  await writeFile(join(root, ".gitlab-ci.yml"), `${theirs}include: [{ local: "infra/gpu.gitlab-ci.yml" }]\n`);
  const again = await init(root, "infra", "--with", "pipeline");
  expect(again.next.join()).not.toContain("include");
  expect(again.kept).toEqual(expect.arrayContaining(["infra/gpu.gitlab-ci.yml", ".github/workflows/gpu-infra.yml"]));
});
