import { cp, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { linkPackage } from "../../tools/run/environment";
import { freePort } from "../../tools/run/freePort";
import { folderForEach } from "./folder";
import { serve } from "./serve";

const folder = folderForEach();

/** What a program of this checkout's tests imports. */
const imported = (root: string) => realpath(join(root, ".computecloud", "node_modules", "pulumi-computecloud"));

async function checkoutAt(name: string): Promise<string> {
  const root = folder.at(name);
  await mkdir(join(root, ".computecloud", "node_modules"), { recursive: true });
  return root;
}

test("the tests of a copied checkout test the copy", async () => {
  const original = await checkoutAt("original");
  const copy = folder.at("copy");
  await linkPackage(original);
  await cp(original, copy, { recursive: true, verbatimSymlinks: true });
  expect([await imported(original), await imported(copy)]).toEqual([original, copy]);
});

test("a link to another checkout is created again, by several workers at once", async () => {
  const original = await checkoutAt("original");
  const copy = await checkoutAt("copy");
  await symlink(original, join(copy, ".computecloud", "node_modules", "pulumi-computecloud"));
  expect(await imported(copy)).toBe(original);
  await Promise.all([linkPackage(copy), linkPackage(copy), linkPackage(copy)]);
  expect(await imported(copy)).toBe(copy);
});

test("a copy of the package in the link's place gives way to the link", async () => {
  const copy = await checkoutAt("copy");
  const packages = join(copy, ".computecloud", "node_modules", "pulumi-computecloud");
  await mkdir(packages);
  await writeFile(join(packages, "package.json"), "{}");
  await linkPackage(copy);
  expect(await imported(copy)).toBe(copy);
});

test("a free port is none that the system gives to somebody else before it is used", async () => {
  const free = await Promise.all(Array.from({ length: 50 }, freePort));
  const servers = await Promise.all(Array.from({ length: 50 }, () => serve(() => {})));
  expect(Math.max(...free)).toBeLessThan(Math.min(...servers.map(({ address }) => Number(new URL(address).port))));
  await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()));
});
