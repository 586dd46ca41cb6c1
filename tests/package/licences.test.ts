/* docs/licences.md names what an install of the package brings and what is in its bundles, and under which licence. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";

interface Entry {
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const entries = lock.packages;

/** Where the lock file keeps the package that one in this folder gets by that name. */
function resolvePackage(name: string, folder: string): string {
  const here = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
  if (here in entries || folder === "") return here;
  return resolvePackage(name, folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/"))) || "");
}

function installedLicences(): Map<string, string> {
  const licences = new Map<string, string>();
  const visit = (folder: string) => {
    const { dependencies, optionalDependencies } = entries[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = resolvePackage(name, folder);
      if (licences.has(name)) continue;
      licences.set(name, entries[place]?.license?.replace(/[()]/g, "") ?? "unknown");
      visit(place);
    }
  };
  visit("");
  return licences;
}

const page = readFileSync(join(checkout, "docs/licences.md"), "utf8");

test("every package that an install brings is listed under its licence", () => {
  const listed = new Map(
    Array.from(page.matchAll(/^\| ([\w. -]+) \| ([^|]*) \|$/gm)).flatMap(([, licence = "", names = ""]) =>
      names === "" || names.includes("---") ? [] : names.split(", ").map((name): [string, string] => [name, licence]),
    ),
  );
  listed.delete("packages");
  expect([...listed].sort()).toEqual([...installedLicences()].sort());
});

test("each bundle has the licences of what is in it beside it, and the page lists them", () => {
  const dist = join(checkout, "dist");
  const bundles = readdirSync(dist, { encoding: "utf8", recursive: true }).filter((file) =>
    file.endsWith(".LICENSE.txt"),
  );
  const rows = bundles.map((file) => {
    const text = readFileSync(join(dist, file), "utf8");
    const heads = /^(\S+) [\d.]+, (\S+)\n\n[\s\S]{0,300}?(?:Permission is hereby granted|Apache License)/gm;
    const licences = Array.from(text.matchAll(heads));
    const names = licences.map(([, name]) => name).join(", ");
    return `| \`dist/${file.slice(0, -".LICENSE.txt".length)}\` | ${licences[0]?.[2]} | ${names} |`;
  });
  expect(page.match(/^\| `dist.*$/gm)).toEqual(rows.sort());
});
