// @long: a real engine and a real browser.
/*
 * A stack's life as one sees it in the emulator's console, from `up` to `destroy`: a gated rollout that goes through, and
 * one that doesn't. Pictures are left in build/console.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { checkout } from "../../tools/run/environment";
import { browserPath, openBrowser } from "../console/browser";
import { emulatorForAll } from "../harness/account";
import { stackForAll } from "../harness/scenario";

const program = (image: string) => `
  const { GatedEndpoint } = require("pulumi-computecloud");
  new GatedEndpoint("chat", {
    image: ${JSON.stringify(image)},
    gpu: { pools: ["AMPERE_16"] },
    workers: { max: 2 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
    gate: { input: { prompt: "ping" }, expect: { output: { serves: true } }, timeout: "1m" },
  });
`;
const handlers = {
  "acme/chat:1": () => ({ serves: true }),
  "acme/chat:2": () => ({ serves: false }),
  "acme/chat:3": () => ({ serves: true }),
};
const pictures = join(checkout, "build", "console");

const describeInBrowser = browserPath === undefined ? describe.skip : describe;

describeInBrowser("a stack's life in the console, which needs Chromium on PATH:", () => {
  const { emulator } = emulatorForAll({ handlers });
  const stack = stackForAll(() => ({ program: program("acme/chat:1"), emulator }));
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(emulator.consoleUrl);
    await page.getByText("The account is empty").waitFor();
  });
  afterAll(() => browser?.close());

  const step = (name: string) =>
    page.getByRole("table").filter({ hasText: "Candidate" }).getByRole("row").filter({ hasText: name });

  const menu = (name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });

  test("up: the candidate, its job and the switch", async () => {
    await stack.up();
    // Its template has the same name.
    await menu("Endpoints").click();
    await page.getByRole("link", { name: /^chat-[0-9a-f]{7}$/ }).click();
    await page.getByRole("heading", { name: "Gated rollout" }).waitFor();
    await step("Candidate").getByText("RESTING").waitFor();
    await step("Job").getByText("COMPLETED").waitFor();
    await step("Switch").getByText("COMPLETED").waitFor();
    await step("Switch").getByText("serves acme/chat:1").waitFor();
  });

  test("a change that does not pass its job waits at the switch, and the page follows by itself", async () => {
    await stack.edit(program("acme/chat:2"));
    await expect(stack.up()).rejects.toThrow("serves");
    await step("Candidate").getByText("acme/chat:2").waitFor();
    await step("Candidate").getByText("RESTING").waitFor();
    await step("Switch").getByText("WAITING").waitFor();
    await step("Switch").getByText("serves acme/chat:1").waitFor();
    await page.screenshot({ path: join(pictures, "rollout.png") });
  });

  test("the next one goes through, on the candidate's page as well", async () => {
    await stack.edit(program("acme/chat:3"));
    await stack.up();
    await step("Switch").getByText("serves acme/chat:3").waitFor();
    await step("Candidate").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: /candidate/ }).waitFor();
    await step("Switch").getByText("COMPLETED").waitFor();
  });

  test("destroy leaves an empty account", async () => {
    await stack.destroy();
    await page.getByText("Not found, or deleted:").waitFor();
    await menu("Overview").click();
    await page.getByText("The account is empty").waitFor();
  });
});
