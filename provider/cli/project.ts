import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { parseJson } from "../client/values/json";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

export const languages = ["typescript", "python", "yaml"] as const;
export type Language = (typeof languages)[number];

const PACKAGE_ROOT = dirname(require.resolve("pulumi-computecloud/package.json"));
/** Also for `pulumi new <folder>`, which fills in the same two names. */
const TEMPLATES = join(PACKAGE_ROOT, "templates");

/** A pipeline whose times follow from the schedules of endpoints. */
export const SCHEDULE = ".github/workflows/schedule.yml";

/** What may be added to a project: the package's own examples, and the paths that they get there. */
const parts = {
  policy: {
    "examples/policy/PulumiPolicy.yaml": "policy/PulumiPolicy.yaml",
    "examples/policy/index.ts": "policy/index.ts",
    "examples/policy/package.json": "policy/package.json",
  },
  pipeline: {
    "docs/pipelines/github.yml": ".github/workflows/gpu.yml",
    "docs/pipelines/gitlab.yml": ".gitlab-ci.yml",
    "docs/pipelines/kubernetes.yaml": "kubernetes.yaml",
  },
  watch: {
    "docs/pipelines/watch-alerts.yml": "watch/alerts.yml",
    "docs/pipelines/watch-dashboard.json": "watch/dashboard.json",
    "docs/pipelines/watch-kubernetes.yaml": "watch/kubernetes.yaml",
  },
  schedule: { "docs/pipelines/schedule.yml": SCHEDULE },
} as const;

export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as readonly Part[];

/** The files of a part, by their path in the project. */
export async function partFiles(part: Part): Promise<ReadonlyMap<string, string>> {
  const texts = Object.entries(parts[part]).map(async ([source, path]): Promise<[string, string]> => {
    return [path, withVersion(await readFile(join(PACKAGE_ROOT, source), "utf8"))];
  });
  return new Map(await Promise.all(texts));
}

/** The pipeline with these lines of cron. */
export function withCrons(text: string, crons: readonly string[]): string {
  return text.replace(/^( +)- cron: .*$/m, (_, indent: string) =>
    crons.map((cron) => `${indent}- cron: "${cron}"`).join("\n"),
  );
}

/** Names the version of this package wherever a project depends on it. */
function withVersion(text: string): string {
  return text.replace(/(?<="pulumi-computecloud": ")[^"]*/, `^${version}`);
}

/** The files of a new project, by their path in it. */
export async function projectFiles(
  folder: string,
  language: Language = "typescript",
): Promise<ReadonlyMap<string, string>> {
  const template = join(TEMPLATES, language);
  const project = projectName(basename(resolve(folder)));
  const files = (await readdir(template, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const texts = files.map(async (file): Promise<[string, string]> => {
    const path = join(file.parentPath, file.name);
    const text = await readFile(path, "utf8");
    const filled = withVersion(text)
      .replaceAll(/\$\{PROJECT\}/g, project)
      .replaceAll(/\$\{DESCRIPTION\}/g, "GPU cloud, declared")
      .replace(/^template:\n(?: .*\n)+/m, "");
    return [path.slice(template.length + 1), filled + (language === "python" ? (PYTHON_SDK[file.name] ?? "") : "")];
  });
  return new Map(await Promise.all([...texts, [".gitignore", IGNORED] as const]));
}

/** As Pulumi and npm take it. */
function projectName(folder: string): string {
  const name = folder.replace(/[^\w.-]+/g, "-").replace(/^[-._]+/, "");
  return name.slice(0, 100).replace(/-+$/, "") || "computecloud";
}

/**
 * What `pulumi package add` would write: `pulumi install` makes the SDK from the installed plugin by it. A folder in place of
 * the version fails with engine 3.250. Not in the template: `pulumi new` installs before there is a plugin.
 */
const PYTHON_SDK: Readonly<Record<string, string>> = {
  "Pulumi.yaml": `packages:\n  computecloud: computecloud@${version}\n`,
  "requirements.txt": "sdks/computecloud\n",
};

const IGNORED = "node_modules/\nvenv/\nsdks/\n";

/** What makes npm bring all that the project needs: the folder may have had a `package.json` of its own. */
export async function npmInstall(folder: string, files: ReadonlyMap<string, string>): Promise<string> {
  const [theirs, ours] = [await readFile(join(folder, PACKAGE), "utf8"), files.get(PACKAGE) ?? ""].map(
    (text) => packageFile.safeParse(parseJson(text)).data,
  );
  const has = { ...theirs?.dependencies, ...theirs?.devDependencies };
  const lacking = (needed: Readonly<Record<string, string>> = {}) =>
    Object.entries(needed).flatMap(([name, range]) => (name in has ? [] : [quoted(`${name}@${range}`)]));
  const [used, forDevelopment] = [lacking(ours?.dependencies), lacking(ours?.devDependencies)];
  return [
    ...(ours?.main === undefined || ours.main === theirs?.main ? [] : [`npm pkg set main=${ours.main}`]),
    ["npm install", ...used].join(" "),
    ...(forDevelopment.length === 0 ? [] : [["npm install --save-dev", ...forDevelopment].join(" ")]),
  ].join(" && ");
}

const PACKAGE = "package.json";
const dependencies = z.record(z.string(), z.string()).optional();
const packageFile = z.object({ main: z.string().optional(), dependencies, devDependencies: dependencies });

/** What goes to the folder, and does something there. */
export function inFolder(folder: string, line: string): string {
  return relative(".", folder) === "" ? line : `cd ${quoted(folder)} && ${line}`;
}

/** A word for a shell to copy. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Writes files that are not there yet.
 *
 * @returns the paths that were written
 * @throws Error when one of `own` is there already
 */
export async function writeProject(
  folder: string,
  files: ReadonlyMap<string, string>,
  own: readonly string[],
): Promise<string[]> {
  const there = new Set(await readdir(folder).catch(() => []));
  const taken = own.find((file) => there.has(file));
  if (taken !== undefined) throw new Error(`${join(folder, taken)} is there already. Name another folder.`);
  const written: string[] = [];
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    const isNew = await writeFile(file, text, { flag: "wx" }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return false;
      },
    );
    if (isNew) written.push(path);
  }
  return written;
}
