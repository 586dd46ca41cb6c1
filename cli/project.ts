import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseJson } from "../common/json";
import { z } from "../common/zod";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

export const languages = ["typescript", "python", "go", "yaml"] as const;
export type Language = (typeof languages)[number];

/** The names by which the engine finds a project. */
export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml"] as const;

const PACKAGE_ROOT = dirname(require.resolve("pulumi-computecloud/package.json"));
/** Also for `pulumi new <folder>`, which fills in the same placeholders. */
const TEMPLATES = join(PACKAGE_ROOT, "templates");

/** Optional parts of a project: files of this package, and their paths in the project. */
const parts = {
  policy: {
    "examples/policy/PulumiPolicy.yaml": "policy/PulumiPolicy.yaml",
    "examples/policy/index.ts": "policy/index.ts",
    "examples/policy/package.json": "policy/package.json",
  },
  pipeline: {
    "docs/pipelines/github.yml": ".github/workflows/gpu.yml",
    "docs/pipelines/gitlab.yml": "gpu.gitlab-ci.yml",
    "docs/pipelines/kubernetes.yaml": "kubernetes.yaml",
  },
  watch: {
    "docs/pipelines/watch-alerts.yml": "watch/alerts.yml",
    "docs/pipelines/watch-dashboard.json": "watch/dashboard.json",
    "docs/pipelines/watch-kubernetes.yaml": "watch/kubernetes.yaml",
  },
  schedule: { "docs/pipelines/schedule.yml": ".github/workflows/schedule.yml" },
} as const;

export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as readonly Part[];

export async function partFiles(part: Part): Promise<ReadonlyMap<string, string>> {
  const texts = Object.entries(parts[part]).map(async ([source, path]): Promise<[string, string]> => {
    return [path, withVersion(await readFile(join(PACKAGE_ROOT, source), "utf8"))];
  });
  return new Map(await Promise.all(texts));
}

/** Sets the version of the dependency on this package. */
function withVersion(text: string): string {
  return text
    .replace(/(?<="pulumi-computecloud": ")[^"]*/, `^${version}`)
    .replace(/(?<="pulumi-computecloud@)[^"]*/, version);
}

export async function projectFiles(
  folder: string,
  language: Language = "typescript",
  named?: string,
): Promise<ReadonlyMap<string, string>> {
  const template = join(TEMPLATES, language);
  const project = named ?? projectName(basename(resolve(folder)));
  const files = (await readdir(template, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const texts = files.map(async (file): Promise<[string, string]> => {
    const path = join(file.parentPath, file.name);
    const text = await readFile(path, "utf8");
    const filled = withVersion(text)
      .replaceAll(/\$\{PROJECT\}/g, project)
      .replaceAll(/\$\{DESCRIPTION\}/g, "GPU cloud, declared")
      .replace(/^template:\n(?: .*\n)+/m, "");
    return [path.slice(template.length + 1), filled + (GENERATED_SDK[language]?.[file.name] ?? "")];
  });
  return new Map(await Promise.all([...texts, [".gitignore", IGNORED] as const]));
}

/** A name that both Pulumi and npm accept. */
function projectName(folder: string): string {
  const name = folder.replace(/[^\w.-]+/g, "-").replace(/^[-._]+/, "");
  return name.slice(0, 100).replace(/-+$/, "") || "computecloud";
}

/**
 * What `pulumi package add` would write, so that `pulumi install` generates the SDK from the installed plugin. A folder instead
 * of the version fails with engine 3.250. It is not in the template, because `pulumi new` installs before there is a plugin.
 */
const PACKAGES = `packages:\n  computecloud: computecloud@${version}\n`;
const GENERATED_SDK: { readonly [In in Language]?: Readonly<Record<string, string>> } = {
  python: { "Pulumi.yaml": PACKAGES, "requirements.txt": "sdks/computecloud\n" },
  go: { "Pulumi.yaml": PACKAGES },
};

const IGNORED = "node_modules/\nvenv/\nsdks/\n";

/** The npm commands that install what the project needs. The folder may have had its own `package.json`, which we keep. */
export async function npmInstall(folder: string, files: ReadonlyMap<string, string>): Promise<readonly string[]> {
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
  ];
}

const PACKAGE = "package.json";
const dependencies = z.record(z.string(), z.string()).optional();
const packageFile = z.object({ main: z.string().optional(), dependencies, devDependencies: dependencies });

export function inFolder(folder: string, line: string): string {
  return relative(".", folder) === "" ? line : `cd ${quoted(folder)} && ${line}`;
}

/** A word, quoted for a shell if necessary. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Writes the files that do not exist yet.
 *
 * @returns the paths that were written
 * @throws Error when one of `mustBeNew` already exists
 */
export async function writeProject(
  folder: string,
  files: ReadonlyMap<string, string>,
  mustBeNew: readonly string[],
): Promise<string[]> {
  const existing = new Set(await readdir(folder).catch(() => []));
  const taken = mustBeNew.find((file) => existing.has(file));
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
