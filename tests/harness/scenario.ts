import { expect } from "@jest/globals";
import { type SettingsInput, startEmulator } from "../../emulator";
import { Control } from "../../tools/run/control";
import { type CommandOptions, newStack, type Stack } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import { type Recorder, startRecorder, type Write } from "./recorder";

/**
 * A program as a table: logical name -> class of the sdk, its arguments, and Pulumi's options. In arguments the text
 * `$name.output` stands for an output of an earlier resource, `$name` for the resource itself, and `$secret:text` for a
 * secret. It exports every id, as people's programs do.
 */
export type Resources = Readonly<
  Record<string, { readonly kind: string; readonly args: object; readonly options?: object }>
>;

export interface ScenarioOptions {
  resources: Resources;
  settings?: SettingsInput;
  config?: Readonly<Record<string, string>>;
}

/** A stack on a real engine before an emulator of its own. */
export async function newScenario({ resources, settings = {}, config = {} }: ScenarioOptions): Promise<Scenario> {
  const emulator = await startEmulator({ settings });
  const recorder = await startRecorder(emulator.baseUrl);
  const stack = await newStack({
    program: programOf(resources),
    emulator: { ...emulator, baseUrl: recorder.baseUrl },
    config,
  });
  return {
    ...stepsOf(stack, new Control(emulator), recorder),
    async [Symbol.asyncDispose]() {
      await stack.remove();
      await recorder[Symbol.asyncDispose]();
      await emulator.stop();
    },
  };
}

export function stepsOf(stack: Stack, service: Control, recorder: Recorder): Steps {
  const declare = (changed: Resources) => stack.edit(programOf(changed));
  return {
    stack,
    service,
    declare,
    up: async (changed, args = []) => {
      await declare(changed);
      return stack.up({ args });
    },
    watch: async (step) => {
      recorder.take();
      const update = await step;
      return { update, writes: recorder.take() };
    },
  };
}

export interface Steps {
  readonly stack: Stack;
  readonly service: Control;
  /** Replaces the program. */
  declare(resources: Resources): Promise<void>;
  /** Replaces the program, and runs an update. */
  up(resources: Resources, args?: readonly string[]): Promise<Update>;
  /** A step, with what it wrote. */
  watch(step: Promise<Update>): Promise<{ update: Update; writes: Write[] }>;
}

export interface Scenario extends Steps {
  [Symbol.asyncDispose](): Promise<void>;
}

/** All that the engine, and the provider through it, had to say. */
export const said = ({ diagnostics }: Update): string => diagnostics.map(({ message }) => message).join("\n");

/** Another up finds nothing to change, and calls nothing. */
export async function staysUnchanged(stack: Stack, service: Control): Promise<void> {
  await service.forgetCalls();
  expect(Object.keys((await stack.up()).changes)).toEqual(["same"]);
  expect(await service.log()).toEqual([]);
}

/** A destroy leaves nothing in the account. */
export async function leavesNothing(stack: Stack, service: Control, options?: CommandOptions): Promise<void> {
  await stack.destroy(options);
  expect(await service.isEmpty()).toBe(true);
}

export function programOf(resources: Resources): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const computecloud = require("pulumi-computecloud");
    const created = {};
    const resolved = (value) => {
      if (Array.isArray(value)) return value.map(resolved);
      if (value !== null && typeof value === "object")
        return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
      if (typeof value !== "string" || !value.startsWith("$")) return value;
      if (value.startsWith("$secret:")) return pulumi.secret(value.slice("$secret:".length));
      const [name, output] = value.slice(1).split(".");
      return output === undefined ? created[name] : created[name][output];
    };
    for (const [name, { kind, args, options }] of Object.entries(${JSON.stringify(resources)})) {
      created[name] = new computecloud[kind](name, resolved(args), resolved(options));
      if (kind !== "Provider" && created[name].id !== undefined) exports[name + "Id"] = created[name].id;
    }
  `;
}
