/* What Pulumi's registry asks of a package: its guide to publishing, as a list. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import manifest from "../../package.json";
import { checkout } from "../../tools/run/environment";

const read = (path: string) => readFileSync(join(checkout, path), "utf8");
const schema: Readonly<Record<string, unknown>> = JSON.parse(read("schema.json"));
const slug = manifest.repository.url.replace(/^.*github\.com\/|\.git$/g, "");

test("the schema says whose the package is, where it is from, under what licence, and where it is found", () =>
  expect(schema).toMatchObject({
    name: "computecloud",
    displayName: "Compute Cloud",
    version: manifest.version,
    description: manifest.description,
    publisher: slug.split("/")[0],
    homepage: manifest.homepage,
    repository: `https://github.com/${slug}`,
    license: manifest.license,
    keywords: expect.arrayContaining(["kind/native", "category/cloud"]),
  }));

test("the schema has a logo that is there", () => {
  const prefix = `https://raw.githubusercontent.com/${slug}/main/`;
  expect(schema.logoUrl).toMatch(prefix);
  expect(read(String(schema.logoUrl).slice(prefix.length))).toMatch(/^<svg [^>]*viewBox="0 0 100 100"/);
});

test("the schema tells the engine where the plugin is, under the names that releases give it", () => {
  expect(schema.pluginDownloadURL).toBe(`github://api.github.com/${slug}`);
  expect(read("tools/release/plugin.ts")).toMatch(
    /`pulumi-resource-computecloud-v\$\{version\}-\$\{platform\}\.tar\.gz`/,
  );
});

test("the schema names the package of each language, by a name that is free to take there", () =>
  expect(schema.language).toMatchObject({
    nodejs: { packageName: manifest.name, respectSchemaVersion: true },
    python: { packageName: "pulumi_computecloud", respectSchemaVersion: true },
    go: { modulePath: `github.com/${slug}/sdk/go`, respectSchemaVersion: true },
    csharp: { rootNamespace: expect.stringMatching(/^(?!Pulumi\.)/), respectSchemaVersion: true },
  }));

describe.each(["docs/_index.md", "docs/installation-configuration.md"])("%s", (page) => {
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(page)) ?? [];

  test("has a title, a description for search engines and the layout of packages", () => {
    const { title, meta_desc: description, layout } = parse(front) as Record<string, string>;
    expect(title).toMatch(/^Compute Cloud/);
    expect(description?.length).toBeGreaterThan(20);
    expect(description?.length).toBeLessThanOrEqual(160);
    expect(layout).toBe("package");
  });

  test("links to nothing that the registry does not show", () => {
    const links = Array.from(body.matchAll(/\]\(([^)]+)\)/g), ([, link = ""]) => link);
    const pages = ["installation-configuration.md", "_index.md"];
    expect(links.filter((link) => !/^(https:|#)/.test(link) && !pages.includes(link))).toEqual([]);
    const base = `https://github.com/${slug}/blob/main/`;
    const ours = links
      .filter((link) => link.startsWith(base))
      .map((link) => link.slice(base.length).replace(/#.*/, ""));
    expect(ours.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
  });
});

test("the installation page says how to install, and every setting", () =>
  expect(read("docs/installation-configuration.md")).toMatch(/^## Installation$[\s\S]*^## Configuration$/m));
