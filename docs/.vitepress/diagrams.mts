import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** As far as it is used: what draws Mermaid's diagrams without a browser. */
interface Renderer {
  renderMermaidSVG(text: string, options: Readonly<Record<string, string | number>>): string;
}

interface Token {
  readonly info: string;
  readonly content: string;
}

interface Attributes {
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

export interface MarkdownState {
  /** `realPath` is where a page that moves in the site stands in the repository. */
  readonly env: { readonly path: string; readonly realPath?: string };
  readonly tokens: readonly (Attributes & {
    readonly type: string;
    readonly content: string;
    readonly children: readonly Attributes[] | null;
  })[];
}

/** As far as it is used, of the renderer of Markdown that VitePress brings. */
export interface Markdown {
  core: { ruler: { push(name: string, rule: (state: MarkdownState) => void): void } };
  renderer: {
    rules: {
      code_inline?: (...args: unknown[]) => string;
      fence?: (tokens: readonly Token[], index: number, ...others: unknown[]) => string;
    };
  };
}

// `npm run docs` installs it beside VitePress, outside of the package.
const vitepress = pathToFileURL(realpathSync(process.argv[1] ?? ""));
const { renderMermaidSVG }: Renderer = await import(new URL("../../beautiful-mermaid/dist/index.js", vitepress).href);

/** The theme's own colours, which follow its switch between light and dark. */
const colours = {
  bg: "var(--vp-c-bg)",
  fg: "var(--vp-c-text-1)",
  accent: "var(--vp-c-brand-1)",
  padding: 8,
  nodeSpacing: 16,
  layerSpacing: 24,
};

const STYLE = /<style>(.*?)<\/style>/gs;

/** Blocks of code in the language `mermaid` become drawings in the page: no script, and nothing from elsewhere. */
export function drawDiagrams({ renderer: { rules } }: Markdown): void {
  const { fence: plain } = rules;
  rules.fence = (tokens, index, ...others) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    if (info.trim() !== "mermaid") return plain?.(tokens, index, ...others) ?? "";
    const drawn = renderMermaidSVG(content, colours).replace(STYLE, "");
    return `<div class="diagram" v-pre tabindex="0">${drawn}</div>\n`;
  };
}

/** The rules of the drawings, in the head of the page: a template of Vue takes no `<style>`. */
export const style = `.diagram { overflow-x: auto; margin: 16px 0; svg { display: block; margin: 0 auto; } svg[data-xychart-colors] { width: 100%; min-width: 560px; height: auto; } ${[
  "flowchart LR\n a --> b",
  "xychart-beta\n x-axis [a]\n bar [1]",
]
  .flatMap((text) => Array.from(renderMermaidSVG(text, colours).matchAll(STYLE), ([, rules = ""]) => rules))
  .join("\n")
  // A web font, and a family of which nothing would be there.
  .replace(/@import[^;]*;/g, "")
  .replaceAll(/font-family:[^;]*;/g, "font-family: inherit;")}}`;
