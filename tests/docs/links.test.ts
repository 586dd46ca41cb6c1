/* No link of a document leads nowhere. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "@jest/globals";
import manifest from "../../package.json";
import { checkout } from "../../tools/run/environment";

const elsewhere = new Set(["node_modules", "dist", ".git", ".computecloud", "coverage"]);

/** Every Markdown file of the checkout. */
function markdownFiles(folder = ""): string[] {
  return readdirSync(join(checkout, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return elsewhere.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** A page's prose: what stands in code is not a link. */
function proseOf(page: string): string {
  const text = readFileSync(join(checkout, page), "utf8");
  return text.replaceAll(/^(`{3,}).*?^\1$/gms, "").replaceAll(/`[^`\n]*`/g, "code");
}

/** What a link may name behind `#`: the headings, as they are written in addresses. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const text = readFileSync(join(checkout, page), "utf8").replaceAll(/^(`{3,}).*?^\1$/gms, "");
  const headings = Array.from(text.matchAll(/^#{1,6} +(.+?)\s*$/gm), ([, heading = ""]) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(headings);
}

/** Pages that npm carries lead to others by their whole address. */
const repository = `${manifest.homepage.replace(/#.*/, "")}/blob/main/`;

const links = markdownFiles().flatMap((page) =>
  Array.from(proseOf(page).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g), ([, target = ""]) => ({ page, target })),
);
const [outgoing, relative] = [true, false].map((out) =>
  links.filter(({ target }) => (/^[a-z+]+:/i.test(target) && !target.startsWith(repository)) === out),
);

test("links of the documents lead to files and headings that exist", () => {
  expect(relative?.length).toBeGreaterThan(50);
  const dead = relative?.filter(({ page, target }) => {
    const [path = "", anchor] = target.replace(repository, "").split("#");
    const folder = target.startsWith(repository) ? "." : dirname(page);
    const file = path === "" ? page : normalize(join(folder, path));
    // A folder is not a page of the site.
    if (!statSync(join(checkout, file), { throwIfNoEntry: false })?.isFile()) return true;
    return anchor !== undefined && (!file.endsWith(".md") || !anchorsOf(file).has(anchor));
  });
  expect(dead).toEqual([]);
});

test("links of the documents lead out of the repository by whole addresses", () => {
  const odd = outgoing?.filter(({ target }) => !URL.canParse(target) || new URL(target).protocol !== "https:");
  expect(odd).toEqual([]);
});
