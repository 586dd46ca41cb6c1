// @long: builds the whole site, and opens each page in a real browser.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import manifest from "../../package.json";
import { checkout } from "../../tools/run/environment";
import { runOrThrow } from "../../tools/run/process";
import { browserPath, openBrowser } from "../console/browser";
import { type Served, serve } from "../harness/serve";

const site = join(checkout, ".computecloud", "site");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The file that a web server answers for a path; undefined for one that is not there. */
function fileOf(path: string): string | undefined {
  const candidates = [path, `${path}.html`, join(path, "index.html")].map((each) => join(site, each));
  return candidates.find((each) => existsSync(each) && statSync(each).isFile());
}

/** Whatever is wider than its place: what a reader would have to scroll for. Diagrams scroll rather than become illegible. */
const CUT = `[...document.querySelectorAll("body, .vp-doc, .vp-doc table, .vp-doc pre")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.tagName + " " + each.textContent.trim().slice(0, 60))`;

/** The words in cells and headings that begin on one line and end on the next. */
const BROKEN = `[...document.querySelectorAll(".vp-doc :is(h1, h2, h3, th, td)")].flatMap((place) => {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode())
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}_]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  return broken;
})`;

/** The sizes of the letters in diagrams, as they appear. */
const LETTERS = `[...document.querySelectorAll(".diagram svg")].flatMap((svg) =>
  Array.from(svg.querySelectorAll("text"), (text) =>
    parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))`;

const describeInBrowser = browserPath === undefined ? describe.skip : describe;

describeInBrowser("the site, which needs Chromium on PATH:", () => {
  let server: Served;
  let browser: Browser;
  let pages: readonly string[];

  beforeAll(async () => {
    await runOrThrow("npm", ["run", "docs"], { cwd: checkout });
    pages = readdirSync(site, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".html") && file !== "404.html")
      .map((file) => `/${file.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, "")}`);
    server = await serve((request, response) => {
      const file = fileOf(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
      response.writeHead(file === undefined ? 404 : 200, {
        "content-type": TYPES[extname(file ?? "")] ?? "text/plain",
      });
      response.end(file === undefined ? "" : readFileSync(file));
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const opened = async (width: number): Promise<Page> => browser.newPage({ viewport: { width, height: 900 } });

  test("cuts nothing, breaks no word and draws legible letters, whatever the width", async () => {
    const page = await opened(1280);
    expect(pages.length).toBeGreaterThan(300);
    const faults: string[] = [];
    for (const path of pages) {
      await page.goto(server.address + path, { waitUntil: "domcontentloaded" });
      for (const width of [1280, 960, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const [cut, broken, letters] = await page.evaluate<[string[], string[], number[]]>(
          `[${CUT}, ${BROKEN}, ${LETTERS}]`,
        );
        const small = letters.filter((size) => size < 10).map((size) => `letters of ${size} px`);
        faults.push(...[...cut, ...broken, ...small].map((each) => `${path} at ${width}: ${each}`));
      }
    }
    await page.close();
    expect(faults).toEqual([]);
  });

  test("has its logo, its version and the repository on each page, and a picture that suits the theme", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
      await page.goto(server.address);
      await page.locator("header img.logo").waitFor();
      await page
        .locator("header")
        .getByRole("link", { name: `v${manifest.version}` })
        .waitFor();
      expect(await page.locator("header a.VPSocialLink:visible").getAttribute("href")).toBe(
        manifest.homepage.split("#")[0],
      );
      const pictures = page.locator(".picture img:visible");
      expect(await pictures.evaluateAll((all) => all.map(({ className }) => className))).toEqual([colorScheme]);
      await page.close();
    }
  });

  test("shows a table as a list on a phone, each cell after its column's title", async () => {
    const page = await opened(390);
    await page.goto(`${server.address}/docs/resources/serverlessEndpoint`);
    const cell = page.locator("td[data-title=Default]").filter({ hasText: "QUEUE_DELAY" });
    await cell.waitFor();
    expect(pages.filter((path) => /data-title="[^"]*`/.test(readFileSync(fileOf(path) ?? "", "utf8")))).toEqual([]);
    const styleOf = "(each) => [getComputedStyle(each).display, getComputedStyle(each, '::before').content]";
    expect(await page.evaluate(`(${styleOf})(document.querySelector("td[data-title=Default]:not(:empty)"))`)).toEqual([
      "block",
      '"Default: "',
    ]);
    await page.close();
  });

  test("has no link that leads nowhere", () => {
    const dead = pages.flatMap((path) => {
      const html = readFileSync(fileOf(path) ?? "", "utf8");
      return Array.from(html.matchAll(/<a [^>]*?href="([^"]+)"/g), ([, href = ""]) => href).flatMap((href) => {
        const target = new URL(href, `http://site${path}`);
        return target.host !== "site" || fileOf(decodeURIComponent(target.pathname)) ? [] : [`${path}: ${href}`];
      });
    });
    expect(dead).toEqual([]);
  });

  test.each(["service", "adding-a-kind", "decisions"])(
    "leaves %s, a note of maintainers, in the repository",
    (name) => {
      expect(existsSync(join(checkout, "docs", `${name}.md`))).toBe(true);
      expect(pages.filter((path) => path.endsWith(`/${name}`))).toEqual([]);
    },
  );

  test("gives each page a title and a description of its own", () => {
    const heads = pages.map((path) => {
      const html = readFileSync(fileOf(path) ?? "", "utf8");
      const [, title = ""] = /<title>(.*?)<\/title>/.exec(html) ?? [];
      const [, description = ""] = /<meta name="description" content="(.*?)"/.exec(html) ?? [];
      return { path, title, description };
    });
    expect(heads.filter(({ title, description }) => title === "" || description === "")).toEqual([]);
    const guides = heads.filter(({ path }) => /^\/docs\/[a-z-]+$/.test(path));
    expect(new Set(guides.map(({ title }) => title)).size).toBe(guides.length);
    expect(new Set(guides.map(({ description }) => description)).size).toBe(guides.length);
  });

  test("copies the commands of a block, without prompts and without what they print", async () => {
    const page = await opened(1280);
    await page.goto(`${server.address}/docs/emulator`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".language-console button.copy").first().click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      "npx pulumi-computecloud emulator --port 4010 --data ./cloud.jsonl",
    );
    await page.close();
  });

  test.each([
    ["gpuIds", "ServerlessEndpoint"],
    ["workersMax", "ServerlessEndpoint"],
    ["AuthenticationError", "Errors"],
    ["cold start", "Jobs"],
    ["import existing", "Drift and adoption"],
  ])("finds %s in %s", async (words, title) => {
    const page = await opened(1280);
    await page.goto(`${server.address}/docs/`);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill(words);
    await page.locator(".VPLocalSearchBox .result").filter({ hasText: title }).first().waitFor();
    await page.close();
  });
});
