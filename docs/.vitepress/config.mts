import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { copiesCommands } from "./copying.mts";
import { drawDiagrams, type Markdown, type MarkdownState, style } from "./diagrams.mts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const { homepage, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, string>;
const logo = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, "docs/logo.svg"), "utf8"))}`;
const HOME = "docs/_home.md";
/** Notes of the maintainers, which stay in the repository. */
const INSIDE = ["service", "adding-a-kind", "decisions"].map((name) => `docs/${name}.md`);
const [repository = ""] = (homepage ?? "").split("#");
const SOURCES = `${repository}/blob/main/`;

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

const titleOf = (page: string): string => /^# (.+)$/m.exec(readFileSync(join(root, page), "utf8"))?.[1] ?? page;

/** What search engines and shared links show of a page. */
function firstParagraph(page: string): string {
  const text = readFileSync(join(root, page), "utf8").replace(/<!--.*?-->/gs, "");
  const paragraph = text.split(/\n{2,}/).find((each) => /^[A-Z`*[]/i.test(each)) ?? "";
  return plainText(paragraph).replace(/\s+/g, " ").slice(0, 200);
}

const plainText = (markdown: string): string => markdown.replace(/\[(.*?)\]\(.*?\)/g, "$1").replace(/[`*]/g, "");

/** Where the site has a page of the repository. The client's reference is made from its sources: see typedoc.json. */
function placeOf(page: string): string {
  if (page === HOME) return "index.md";
  if (page === "README.md") return "readme.md";
  return page.replace(/^build\//, "docs/").replace(/(^|\/)README\.md$/, "$1index.md");
}

/** The guides in their groups, in the order of their index. */
function guides(): { text: string; items: Link[] }[] {
  const [, ...groups] = readFileSync(join(root, "docs/README.md"), "utf8").split(/^## /m);
  return groups.map((group) => ({
    text: group.split("\n")[0] ?? "",
    items: Array.from(group.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm), ([, text = "", page = ""]) => ({
      text,
      link: posix.join("/docs", page).replace(/README\.md$/, ""),
    })).filter(({ link }) => !INSIDE.includes(link.slice(1))),
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
  srcExclude: ["**/node_modules/**", "**/dist/**", "**/.*/**", "tests/schema/**", "docs/_index.md", ...INSIDE],
  rewrites: placeOf,
  transformPageData: ({ filePath, description }: { filePath: string; description: string }) =>
    description ? {} : { description: firstParagraph(filePath) },
  cleanUrls: true,
  lastUpdated: false,
  head: [
    ["style", {}, style],
    ["link", { rel: "icon", href: logo }],
  ],
  markdown: {
    codeTransformers: [copiesCommands],
    // What stands between two braces in code is no expression of Vue.
    config(markdown: Markdown) {
      drawDiagrams(markdown);
      markdown.core.ruler.push("own links", staysInSite);
      markdown.core.ruler.push("titles of cells", namesCells);
      const { rules } = markdown.renderer;
      const { code_inline: plain } = rules;
      if (plain) rules.code_inline = (...args) => withBreaks(plain(...args)).replace("<code", "<code v-pre");
    },
  },
  themeConfig: {
    logo,
    socialLinks: [{ icon: "github", link: repository }],
    search: { provider: "local" },
    nav: [
      { text: "Guides", link: "/docs/" },
      { text: "Resources", link: "/docs/resources/" },
      { text: "Functions", link: "/docs/functions/" },
      { text: "Client", link: "/docs/reference/" },
      { text: "Examples", link: "/examples/" },
      { text: `v${version}`, link: "/CHANGELOG" },
    ],
    sidebar: [
      ...guides(),
      { text: "Resources", collapsed: true, items: pagesOf("docs/resources") },
      { text: "Functions", collapsed: true, items: pagesOf("docs/functions") },
    ],
  },
};

/** An address may be broken after a slash, so that it makes no column wider than the page; a flag nowhere. */
const withBreaks = (html: string): string =>
  html
    .replace(/\S{30,}/g, (word) => word.replace(/(?<!<)\/(?=[^/])/g, "/<wbr>"))
    .replace(/(?<=[>\s])--?[a-z][a-z-]*/g, '<span class="flag">$&</span>');

/** Links as the site has its pages. Pages that npm carries, too, name others by their whole address. */
function staysInSite({ tokens, env }: MarkdownState): void {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const target = token.attrGet("href") ?? "";
      const [path = "", ...anchor] = target.replace(SOURCES, "/").split(/(?=#)/);
      if (/^($|#|[a-z+]+:)/.test(path)) continue;
      const file = relative(
        root,
        path.startsWith("/") ? join(root, path) : join(dirname(env.realPath ?? env.path), path),
      );
      // Sources and notes are part of the repository, not of the site.
      const isPage = file.endsWith(".md") && !file.startsWith(".") && !INSIDE.includes(file);
      const place = isPage ? `/${placeOf(file)}` : `${SOURCES}${file}`;
      token.attrSet("href", [place, ...anchor].join(""));
    }
  }
}

/** Gives each cell of a table its column's title, which the style shows on narrow screens. */
function namesCells({ tokens }: MarkdownState): void {
  let titles: string[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === "thead_open") titles = [];
    if (token.type === "tr_open") column = 0;
    if (token.type === "th_open") titles.push(plainText(tokens[index + 1]?.content ?? ""));
    if (token.type !== "td_open") return;
    const title = titles[column++];
    if (title) token.attrSet("data-title", title);
  });
}
