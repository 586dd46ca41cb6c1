// @long: the harness itself, on an engine that every other file uses, too.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newStack, PulumiCommandError, type Stack } from "../../tools/run/stack";

// A provider small enough to stand in the program's own state: `size` is updated, `zone` replaces, `broken` fails.
const provider = `exports.handler = () => ({
  check: async (_, news) => ({ inputs: news }),
  diff: async (_, olds, news) => ({
    changes: olds.zone !== news.zone || olds.size !== news.size,
    replaces: olds.zone === news.zone ? [] : ["zone"],
  }),
  create: async (inputs) => {
    if (inputs.broken) throw new Error("out of order");
    return { id: inputs.zone, outs: inputs };
  },
  update: async (_, olds, news) => ({ outs: news }),
  delete: async () => {},
  read: async (id, props) => (props.vanished ? { id: "" } : { id, props, inputs: props }),
})`;

function program(disks: Record<string, object>): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    class Disk extends pulumi.CustomResource {
      constructor(name, args) { super("pulumi-nodejs:dynamic/test:Disk", name, args); }
    }
    for (const [name, args] of Object.entries(${JSON.stringify(disks)})) {
      new Disk(name, { ...args, __provider: ${JSON.stringify(provider)} });
    }
    exports.answer = 42;
    exports.password = pulumi.secret("hidden");
  `;
}

describe("a stack for tests", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await newStack({
      program: program({
        a: { zone: "one", size: 1 },
        b: { zone: "one", size: 1 },
        c: { zone: "one", vanished: true },
      }),
      config: { "test:plain": "text", "test:key": { secret: "hidden" } },
    });
  });
  afterAll(() => stack.remove());

  it("tells what the engine did with each resource, from first deployment to none", async () => {
    expect((await stack.preview()).changes).toEqual({ create: 3 });
    expect(await stack.resources()).toEqual([]);

    expect((await stack.up()).changes).toEqual({ create: 3 });
    expect((await stack.up()).changes).toEqual({ same: 3 });
    expect((await stack.refresh()).changes).toEqual({ same: 2, delete: 1 });

    await stack.edit(program({ a: { zone: "one", size: 2 }, b: { zone: "two", size: 1 } }));
    const edited = await stack.up();
    expect(edited.changes).toEqual({ update: 1, replace: 1 });
    expect(edited.steps).toContainEqual(
      expect.objectContaining({ op: "replace", name: "b", oldId: "one", newId: "two", replaceKeys: ["zone"] }),
    );
    expect((await stack.resource("b")).outputs).toMatchObject({ zone: "two" });
    expect(await stack.outputs()).toEqual({ answer: 42, password: "hidden" });
    expect(await stack.stateText()).not.toContain('"hidden"');

    expect((await stack.destroy()).changes).toEqual({ delete: 2 });
    expect(await stack.resources()).toEqual([]);
  });

  it("tells what failed and why, and fails when a command ends otherwise than expected", async () => {
    await stack.edit(program({ d: { zone: "one", broken: true } }));
    const up = await stack.up({ fails: true });
    expect(up.failed).toMatchObject([{ op: "create", name: "d" }]);
    expect(up.diagnostics).toContainEqual({
      severity: "error",
      name: "d",
      message: expect.stringContaining("out of order"),
    });

    await expect(stack.up()).rejects.toBeInstanceOf(PulumiCommandError);
    await expect(stack.destroy({ fails: true })).rejects.toBeInstanceOf(PulumiCommandError);
  });

  it("runs a program given as a function of the sdk", async () => {
    await stack.edit((sdk, pulumi) => ({ kinds: Object.keys(sdk).length >= 0, project: pulumi.getProject() }));
    await stack.up();
    expect(await stack.outputs()).toEqual({ kinds: true, project: "test" });
  });

  it("runs a program in TypeScript", async () => {
    await using typed = await newStack({ program: { files: { "index.ts": "export const answer: number = 42;" } } });
    await typed.up();
    expect(await typed.outputs()).toEqual({ answer: 42 });
  });

  it("leaves no process when it is interrupted while a provider is stuck", async () => {
    const stuck = `exports.handler = () => ({
      check: async (_, news) => ({ inputs: news }),
      create: (inputs) => {
        require("node:fs").writeFileSync(inputs.pidFile, String(process.pid));
        return new Promise(() => setInterval(() => {}, 1000));
      },
    })`;
    await using stack = await newStack({ program: "" });
    const pidFile = join(stack.folder, "pid");
    await stack.edit(`
      const pulumi = require("@pulumi/pulumi");
      class Stuck extends pulumi.CustomResource {
        constructor(name, args) { super("pulumi-nodejs:dynamic/test:Stuck", name, args); }
      }
      new Stuck("stuck", { pidFile: ${JSON.stringify(pidFile)}, __provider: ${JSON.stringify(stuck)} });
    `);
    const interrupt = new AbortController();
    const onLine = (line: string) => line.includes("Stuck stuck creating") && interrupt.abort();
    await stack.up({ signal: interrupt.signal, onLine, fails: true });

    const provider = Number(await readFile(pidFile, "utf8"));
    expect(() => process.kill(provider, 0)).toThrow("ESRCH");
  });
});
