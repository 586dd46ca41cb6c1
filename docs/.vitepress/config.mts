import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { drawDiagrams, type Markdown, type MarkdownState, style } from "./diagrams.mts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const { homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { homepage: string };
const REPOSITORY = `${homepage.replace(/#.*/, "")}/blob/main/`;

interface Link {
  text: string;
  link: string;
}

/** The pages of a folder, by their own titles. */
function pagesOf(folder: string): Link[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .sort()
    .map((name) => ({ text: titleOf(posix.join(folder, name)), link: `/${posix.join(folder, name)}` }));
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, page), "utf8"))?.[1] ?? page;
}

/** The guides in their groups, in the order of their index. */
function guides(): { text: string; items: Link[] }[] {
  const [, ...groups] = readFileSync(join(root, "docs/README.md"), "utf8").split(/^## /m);
  return groups.map((group) => ({
    text: group.split("\n")[0] ?? "",
    items: Array.from(group.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm), ([, text = "", page = ""]) => ({
      text,
      link: posix.join("/docs", page).replace(/README\.md$/, ""),
    })),
  }));
}

/** The documents, README and what both lead to, as a site. Dead links fail the build. */
export default {
  title: "pulumi-computecloud",
  description: "A Pulumi provider for a GPU and CPU cloud",
  srcDir: root,
  outDir: join(root, ".computecloud", "site"),
  cacheDir: join(root, ".computecloud", "vitepress"),
  // Pages that Pulumi's registry takes have links of its own form.
  srcExclude: ["**/node_modules/**", "**/dist/**", "**/.*/**", "tests/schema/**", "docs/_index.md"],
  // The client's reference is made from its sources: see typedoc.json.
  rewrites: (page: string) => page.replace(/^build\//, "docs/").replace(/(^|\/)README\.md$/, "$1index.md"),
  cleanUrls: true,
  lastUpdated: false,
  head: [["style", {}, style]],
  // Sources are part of the repository, not of the site.
  ignoreDeadLinks: [(link: string) => isSource(link)],
  markdown: {
    // What stands between two braces in code is no expression of Vue.
    config(markdown: Markdown) {
      drawDiagrams(markdown);
      markdown.core.ruler.push("own links", staysInSite);
      const { rules } = markdown.renderer;
      const { code_inline: plain } = rules;
      if (plain) rules.code_inline = (...given) => plain(...given).replace("<code", "<code v-pre");
    },
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guides", link: "/docs/" },
      { text: "Resources", link: "/docs/resources/" },
      { text: "Functions", link: "/docs/functions/" },
      { text: "Client", link: "/docs/reference/" },
      { text: "Examples", link: "/examples/" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
    sidebar: [
      ...guides(),
      { text: "Resources", collapsed: true, items: pagesOf("docs/resources") },
      { text: "Functions", collapsed: true, items: pagesOf("docs/functions") },
    ],
  },
};

/** Pages that npm carries, too, name others by their whole address. */
function staysInSite({ tokens }: MarkdownState): void {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const target = token.attrGet("href");
      if (target?.startsWith(REPOSITORY)) token.attrSet("href", target.slice(REPOSITORY.length - 1));
    }
  }
}

function isSource(link: string): boolean {
  // Links of a guide are relative to it.
  return !link.endsWith(".md") && ["", "docs"].some((folder) => existsSync(join(root, folder, link)));
}
