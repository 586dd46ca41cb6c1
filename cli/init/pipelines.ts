import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Packages } from "./packages";
import type { Place } from "./place";

/** What a project's pipelines depend on. */
export interface Pipelines {
  readonly place: Place;
  readonly stack: string;
  readonly packages: Packages;
  /** Commands that the language needs after the packages. */
  readonly language: readonly string[];
  readonly hasPolicies: boolean;
}

export const GITHUB = ".github/workflows/gpu.yml";
/** Runs at the times of the endpoints' schedules. */
export const SCHEDULE = ".github/workflows/schedule.yml";
export const GITLAB = ".gitlab-ci.yml";
const KUBERNETES = "kubernetes.yaml";
/** For a repository that has a pipeline of its own: that includes this one. */
const INCLUDED = "gpu.gitlab-ci.yml";
const GITLAB_BEGINS = "# .gitlab-ci.yml; its CI/CD variables";

export const isPipeline = (path: string) => [GITHUB, SCHEDULE, GITLAB, KUBERNETES].includes(path);

/** A pipeline for this project, and its path from the repository's root. */
export async function pipelineOf(name: string, text: string, options: Pipelines): Promise<readonly [string, string]> {
  const { place, stack, packages, language, hasPolicies } = options;
  const slug = slugOf([place.path, stack].filter(Boolean).join("-"));
  const policies = hasPolicies ? ["npm ci --prefix policy"] : [];
  let pipeline = withInstall(withStack(text, stack, slug), [...packages.install, ...policies, ...language]);
  if (hasPolicies) pipeline = withPolicyPack(pipeline);
  if (packages.start === "yarn") pipeline = pipeline.replaceAll("npx pulumi-computecloud", "yarn pulumi-computecloud");
  const under = (path: string) => (place.path === "" ? path : `${place.path}/${path}`);
  if (name === KUBERNETES)
    return [
      under(name),
      place.path === "" ? pipeline : pipeline.replace("  branch:", `  repoDir: ${plain(place.path)}\n$&`),
    ];
  if (name === GITLAB) {
    const existing = await readFile(join(place.root, GITLAB), "utf8").catch(() => GITLAB_BEGINS);
    const isIncluded = !existing.startsWith(GITLAB_BEGINS);
    const inFolder = gitlabIn(pipeline, place.path);
    if (!isIncluded) return [GITLAB, inFolder];
    return [under(INCLUDED), inFolder.replace(/^(preview|up|unlock|drift):$/gm, `$1-${slug}:`)];
  }
  const file = place.path === "" ? name : name.replace(".yml", `-${slugOf(place.path)}.yml`);
  return [file, githubIn(pipeline, place.path, packages.npmLock)];
}

/** The line for a repository's own pipeline of GitLab that includes this one; undefined if there is none. */
export function inclusionOf(paths: readonly string[]): string | undefined {
  const included = paths.find((path) => path.endsWith(INCLUDED));
  return included && `include: [{ local: ${JSON.stringify(included)} }]`;
}

/** Names of Kubernetes and of files: lower case letters, digits and hyphens. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-");
  return slug.slice(0, 50).replaceAll(/^-+|-+$/g, "") || "gpu";
}

/** A text in YAML, quoted where it would be something else. */
function plain(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/i.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

function withStack(text: string, stack: string, slug: string): string {
  return text
    .replaceAll(/\bgpu-prod\b/g, `gpu-${slug}`)
    .replaceAll(/\b(PULUMI_STACK|stack|environment): prod$/gm, (_, key: string) => `${key}: ${plain(stack)}`);
}

/** The pipeline with the commands that install what the program needs. */
function withInstall(text: string, commands: readonly string[]): string {
  const isNode = !commands.some((command) => command.includes("plugin install"));
  return text
    .replaceAll(/^( *- (?:run: )?)(.*\b)?npm ci$/gm, (_, item: string, before = "") =>
      commands.map((command) => item + before + command).join("\n"),
    )
    .replace("pulumi/pulumi-nodejs-22:", isNode ? "$&" : "pulumi/pulumi:");
}

export function withPolicyPack(text: string): string {
  return text.replace(/\bpulumi (preview|up) -/g, "pulumi $1 --policy-pack policy -");
}

export function withCrons(text: string, crons: readonly string[]): string {
  return text.replace(/^( +)- cron: .*$/m, (_, indent: string) =>
    crons.map((cron) => `${indent}- cron: "${cron}"`).join("\n"),
  );
}

function githubIn(text: string, path: string, npmLock: string | undefined): string {
  const cached =
    npmLock === undefined
      ? text.replaceAll(/^ +cache: npm\n/gm, "")
      : npmLock === "package-lock.json"
        ? text
        : text.replaceAll(/^( +)cache: npm$/gm, `$&\n$1cache-dependency-path: ${plain(npmLock)}`);
  if (path === "") return cached;
  return cached
    .replace(/^name: (\w+)$/m, (_, name: string) => `name: ${plain(`${name} ${path}`)}`)
    .replace(/^jobs:$/m, `defaults:\n  run:\n    working-directory: ${plain(path)}\n\n$&`);
}

function gitlabIn(text: string, path: string): string {
  const enter = `    - cd ${JSON.stringify(path)}\n`;
  return path === "" ? text : text.replaceAll(/^ +(before|after)_script:\n/gm, `$&${enter}`);
}
