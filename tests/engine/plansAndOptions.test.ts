/* Plans, stack traces, and what a diff shows of arguments. */
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const image = "example.com/a:1";
const volume = (args: object = {}, options: object = {}): Resources[string] => ({
  kind: "NetworkVolume",
  args: { size: 10, dataCenter: "EU-RO-1", ...args },
  options,
});
const template = (args: object = {}, options: object = {}): Resources[string] => ({
  kind: "Template",
  args: { image, ...args },
  options,
});

const { stack, service, declare } = scenarioForAll({ resources: {} });

test("a plan holds for generated names, at first and for replacements", async () => {
  const plan = join(stack.folder, "plan.json");
  const follow = async () => {
    await stack.preview({ args: ["--save-plan", plan] });
    return stack.up({ args: ["--plan", plan] });
  };
  await declare({ models: volume(), chat: template() });
  expect((await follow()).changes).toEqual({ create: 2 });
  const [before] = (await service.state()).networkVolumes;
  await declare({ models: volume({ dataCenter: "US-KS-2" }), chat: template() });
  expect((await follow()).changes).toMatchObject({ same: 1, replace: 1 });
  expect((await service.state()).networkVolumes).toEqual([
    expect.objectContaining({ name: expect.stringMatching(/^models-/), dataCenter: "US-KS-2" }),
  ]);
  expect((await service.state()).networkVolumes[0]?.name).not.toBe(before?.name);
});

test("a stack trace leads to the line of the program, in the state and in the error of an apply", async () => {
  await stack.edit(
    [
      'const { Template } = require("pulumi-computecloud");',
      `const chat = new Template("chat", { image: "${image}" });`,
      'chat.id.apply(function reading() { throw new Error("of the program"); });',
    ].join("\n"),
  );
  const message = said(await stack.up({ fails: true }));
  expect(message).toMatch(/Error: of the program\n.*reading .*index\.js:3:\d+/);
  const { sourcePosition, stackTrace } = await stack.resource("chat");
  expect(sourcePosition).toMatch(/\/index\.js#2,\d+$/);
  expect(stackTrace).toEqual([{ sourcePosition }]);
});

test("what is secret is hidden in the diff of an environment, which names the variables", async () => {
  await declare({ chat: template({ env: { TOKEN: "hunter1", MODE: "hunter2" } }) });
  await stack.up();
  await stack.refresh();
  await declare({ chat: template({ env: { TOKEN: "hunter3", MODE: "hunter2" } }) });
  const { stdout } = await stack.preview({ args: ["--diff"] });
  expect(stdout).toMatch(/TOKEN\s*: \[secret\]/);
  expect(stdout).not.toContain("hunter");
  // Nor is anything that the service has chosen, or that is the provider's own.
  expect(stdout).not.toMatch(/- disk|ogicalName|__/);
  await stack.up();
  expect(await stack.stateText()).not.toContain("hunter");
});
