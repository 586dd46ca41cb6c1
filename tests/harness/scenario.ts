import { afterAll, beforeAll, expect } from "@jest/globals";
import type { SettingsInput } from "../../emulator";
import type { Control } from "../../tools/run/control";
import { type CommandOptions, newStack, Stack, type StackOptions, type StackPlace } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import { emulatorForAll } from "./account";
import { programOf, type Resources } from "./program";
import { type Recorder, startRecorder, type Write } from "./recorder";

interface Steps {
  readonly stack: Stack;
  readonly service: Control;
  /** Replaces the program. */
  declare(resources: Resources): Promise<void>;
  /** Replaces the program, and runs an update. */
  up(resources: Resources, args?: readonly string[]): Promise<Update>;
  /** A step, with what it wrote. */
  watch(step: Promise<Update>): Promise<{ update: Update; writes: Write[] }>;
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

/** A stack on the real engine. Its options are asked for once what stands before it has begun. */
export function stackForAll(options: () => StackOptions): Stack {
  const place = {} as StackPlace;
  const stack = new Stack(place);
  let created: Stack | undefined;
  beforeAll(async () => {
    created = await newStack(options());
    Object.assign(place, created.place);
  });
  afterAll(() => created?.remove());
  return stack;
}

/** A stack on a real engine before an emulator of its own, for all tests of a file, or all of a `describe`. */
export function scenarioForAll({
  resources,
  settings = {},
  config = {},
}: {
  resources: Resources;
  settings?: SettingsInput;
  config?: Readonly<Record<string, string>>;
}): Steps {
  const { emulator, service } = emulatorForAll({ settings });
  const recorder = {} as Recorder;
  beforeAll(async () => void Object.assign(recorder, await startRecorder(emulator.baseUrl)));
  const stack = stackForAll(() => ({
    program: programOf(resources),
    emulator: { ...emulator, baseUrl: recorder.baseUrl },
    config,
  }));
  afterAll(async () => recorder[Symbol.asyncDispose]());
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
