import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Packages } from "./packages";

/** Where a project is in its repository. */
interface Place {
  /** The project's folder. */
  readonly folder: string;
  /** The repository's root, where the services look for pipelines; the project's folder outside a repository. */
  readonly root: string;
  readonly isRepository: boolean;
  /** From the root to the project, with `/`; empty if they are the same. */
  readonly path: string;
}

export function placeOf(name: string): Place {
  const folder = resolve(name);
  let root = folder;
  while (!existsSync(join(root, ".git")) && root !== dirname(root)) root = dirname(root);
  const isRepository = existsSync(join(root, ".git"));
  if (!isRepository) root = folder;
  return { folder, root, isRepository, path: relative(root, folder).replaceAll("\\", "/") };
}

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
const GITLAB = "gpu.gitlab-ci.yml";
const KUBERNETES = "kubernetes.yaml";
/** Named as the pipelines are, as the watch uses the operator's Secret. */
const WATCH = "watch/kubernetes.yaml";

export const isPipeline = (path: string) => [GITHUB, SCHEDULE, GITLAB, KUBERNETES, WATCH].includes(path);

/** A pipeline for this project, and its path from the repository's root. */
export async function pipelineOf(name: string, text: string, options: Pipelines): Promise<readonly [string, string]> {
  const { place, stack, packages, language, hasPolicies } = options;
  const policies = hasPolicies ? ["npm ci --prefix policy"] : [];
  let pipeline = withInstall(withNames(text, place.path, stack), [...packages.install, ...policies, ...language]);
  if (hasPolicies) pipeline = withPolicyPack(pipeline);
  if (packages.start === "yarn") pipeline = pipeline.replaceAll("npx pulumi-computecloud", "yarn pulumi-computecloud");
  const under = place.path === "" ? name : `${place.path}/${name}`;
  if (name === GITLAB) return [under, gitlabIn(pipeline, place.path)];
  if (name === KUBERNETES && place.path !== "")
    return [under, pipeline.replace("  branch:", `  repoDir: ${plain(place.path)}\n$&`)];
  if (name === KUBERNETES || name === WATCH) return [under, pipeline];
  const file = place.path === "" ? name : name.replace(".yml", `-${slugOf(place.path)}.yml`);
  return [file, githubIn(pipeline, place.path, packages.npmLock)];
}

/** The repository's own pipeline of GitLab, which includes the projects'. */
const GITLAB_ROOT = ".gitlab-ci.yml";
const OURS = "# Written by `pulumi-computecloud init`, which adds a line for each project.\ninclude:\n";

/**
 * Includes a project's pipeline of GitLab in the repository's own, if that was written by `init`.
 *
 * @param paths of all pipelines
 * @returns the path of what it wrote, or the line that the repository's own pipeline lacks
 */
export async function includeGitlab(
  root: string,
  paths: readonly string[],
): Promise<{ written?: string; line?: string }> {
  const included = paths.find((path) => path.endsWith(GITLAB));
  const file = join(root, GITLAB_ROOT);
  const text = await readFile(file, "utf8").catch(() => OURS);
  if (included === undefined) return {};
  if ([plain(included), JSON.stringify(included)].some((local) => text.includes(`local: ${local}`))) return {};
  if (!text.startsWith(OURS)) return { line: `include: [{ local: ${JSON.stringify(included)} }]` };
  await writeFile(file, `${OURS}  - local: ${plain(included)}\n${text.slice(OURS.length)}`);
  return { written: GITLAB_ROOT };
}

/** As it is in the recipes. */
const NAME = /\bgpu-prod\b/g;

/** What a project's pipelines are called in everything that others share with them: by its folder and its stack. */
export const nameOf = (path: string, stack: string) => `gpu-${slugOf(path === "" ? stack : `${path}/${stack}`)}`;

/** The longest that the operator's workspace can have in its name. */
const LONGEST = 38;

/**
 * Lower case letters, digits and hyphens, as Kubernetes and files take them. No two texts have the same one: `/` is `--`, and what
 * is not to be read from it has a hash.
 */
function slugOf(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .split("/")
    .map((word) => word.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, ""));
  const slug = words.filter((word) => word !== "").join("--");
  if (slug.replaceAll("--", "/") === text && slug.length <= LONGEST) return slug;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 6);
  return [slug.slice(0, LONGEST - 7).replace(/-+$/, ""), hash].filter(Boolean).join("-");
}

/** A text in YAML, quoted where it would be something else. */
function plain(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/i.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

function withNames(text: string, path: string, stack: string): string {
  return text
    .replaceAll(NAME, nameOf(path, stack))
    .replaceAll(/\b(PULUMI_STACK|stack): prod$/gm, (_, key: string) => `${key}: ${plain(stack)}`);
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
  return cached.replace(/^jobs:$/m, `defaults:\n  run:\n    working-directory: ${plain(path)}\n\n$&`);
}

function gitlabIn(text: string, path: string): string {
  const enter = `    - cd ${JSON.stringify(path)}\n`;
  return path === "" ? text : text.replaceAll(/^ +(before|after)_script:\n/gm, `$&${enter}`);
}
