/* What our own workflows and those that users get may do, and which of their steps get a secret. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { checkout } from "../../tools/run/environment";

type Permissions = string | Readonly<Record<string, string>>;
type Env = Readonly<Record<string, string>>;
interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Env;
}
interface Job {
  readonly permissions?: Permissions;
  readonly env?: Env;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: Permissions;
  readonly env?: Env;
  readonly jobs: Readonly<Record<string, Job>>;
}

const textOf = (file: string) => readFileSync(join(checkout, file), "utf8");
const files = globSync([".github/workflows/*.yml", "docs/pipelines/{github,schedule}.yml"], { cwd: checkout });
const workflows = files.map((file): [string, Workflow] => [file, parse(textOf(file))]);

/** Runs code of packages that others wrote, or of this checkout. */
const RUNS_CODE =
  /\b(npm (ci|i|install|run|exec|test)|npx|node|pip install|pulumi (install|up|preview)|dotnet (pack|build))\b/;
/** Rights with which something can be published in this repository's name. */
const PUBLISHES = ["contents", "id-token", "attestations", "packages"];

function writesOf({ permissions: all }: Workflow, { permissions = all }: Job): string[] {
  if (typeof permissions === "string") return permissions === "write-all" ? [...PUBLISHES] : [];
  return Object.keys(permissions).filter((right) => permissions[right] === "write");
}

const secretsIn = (value: unknown) => JSON.stringify(value ?? {}).match(/secrets\.\w+/g) ?? [];

test("there are the workflows of this repository and of the guides", () =>
  expect(files).toEqual(expect.arrayContaining([".github/workflows/release.yml", "docs/pipelines/github.yml"])));

describe.each(workflows)("%s", (file, workflow) => {
  const jobs = Object.values(workflow.jobs);

  test("pins each action by its commit, and names the version", () => {
    const uses = textOf(file).match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+(:|$)/.test(line))).toEqual([]);
  });

  test("runs no code of packages where it may publish", () => {
    const publishing = jobs.filter((job) => writesOf(workflow, job).some((right) => PUBLISHES.includes(right)));
    const steps = publishing.flatMap((job) => job.steps);
    expect(steps.filter(({ run = "" }) => RUNS_CODE.test(run))).toEqual([]);
  });

  test("leaves no token that may write beside code of packages", () => {
    const writing = jobs.filter((job) => writesOf(workflow, job).length > 0);
    const mixed = writing.flatMap(({ steps }) => (steps.some(({ run = "" }) => RUNS_CODE.test(run)) ? steps : []));
    const left = mixed.filter(
      (step) => step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false,
    );
    expect(left).toEqual([]);
  });

  test("gives each secret only to the steps that need it, and a read-only key to those that change nothing", () => {
    expect(secretsIn([workflow.env, jobs.map(({ env }) => env)])).toEqual([]);
    for (const { run = "", env, ...rest } of jobs.flatMap(({ steps }) => steps)) {
      const secrets = secretsIn(env).map((secret) => secret.slice("secrets.".length));
      expect(secretsIn(rest)).toEqual([]);
      if (secrets.length === 0) continue;
      const changes = /pulumi up|TEST_LIVE|computecloud verify/.test(run);
      const readsState = /pulumi (up|preview)|computecloud drift/.test(run);
      const needed = [
        ...(/unlock/.test(run) ? [] : [changes ? "COMPUTECLOUD_API_KEY" : "COMPUTECLOUD_READ_KEY"]),
        ...(readsState ? ["PULUMI_CONFIG_PASSPHRASE"] : []),
        ...(readsState || /unlock/.test(run) ? ["PULUMI_ACCESS_TOKEN"] : []),
      ];
      expect({ run, secrets }).toEqual({ run, secrets: needed });
      expect(run).not.toMatch(/npm ci|install/);
      expect(run).not.toMatch(/pulumi cancel/);
    }
  });
});

test("GitLab's recipe installs without secrets, and previews with a read-only key", () => {
  const text = textOf("docs/pipelines/gitlab.yml");
  const { ".gpu-prod": common, "gpu-prod:preview": preview, "gpu-prod:up": up, "gpu-prod:drift": drift } = parse(text);
  const masked = ["COMPUTECLOUD_API_KEY", "COMPUTECLOUD_READ_KEY", "PULUMI_CONFIG_PASSPHRASE", "GITLAB_TOKEN"];
  const [install] = common.before_script;
  for (const name of masked) expect(install).toContain(`-u ${name} `);
  const reads = 'export COMPUTECLOUD_API_KEY="$COMPUTECLOUD_READ_KEY"';
  expect([preview, up, drift].map(({ script }) => script[0] === reads)).toEqual([true, false, true]);
});

test("the operator's watch has a key of its own", () => {
  const watch = parse(textOf("docs/pipelines/watch-kubernetes.yaml"));
  const [{ env }] = watch.spec.template.spec.containers;
  expect(env).toContainEqual(
    expect.objectContaining({ valueFrom: { secretKeyRef: { name: "gpu-prod", key: "readKey" } } }),
  );
  expect(textOf("docs/pipelines/kubernetes.yaml")).toContain("  readKey: ");
});
