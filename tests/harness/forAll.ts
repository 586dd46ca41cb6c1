import { afterAll, beforeAll } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { Control } from "../../tools/run/control";
import { newStack, Stack, type StackOptions, type StackPlace } from "../../tools/run/stack";
import { type Account, openAccount, startStrict } from "./account";
import { Place, WITHOUT_QUOTAS } from "./place";
import { programOf } from "./program";
import { type Recorder, startRecorder } from "./recorder";
import { type ScenarioOptions, type Steps, stepsOf } from "./scenario";

/*
 * What all tests of a file share, or all of a `describe`. It is there from their `beforeAll` on, and gone after the last.
 */

/** An emulator, and its control address. */
export function emulatorForAll(options: EmulatorOptions = {}): { emulator: Emulator; service: Control } {
  const emulator = {} as Emulator;
  let started: Emulator | undefined;
  beforeAll(async () => {
    started = await startStrict(options);
    Object.assign(emulator, started);
  });
  afterAll(() => started?.stop());
  return { emulator, service: new Control(emulator) };
}

/** An emulator, for tests that call it as its users do. */
export function accountForAll(...how: Parameters<typeof openAccount>): Account {
  const account = {} as Account;
  beforeAll(async () => {
    Object.assign(account, await openAccount(...how));
  });
  afterAll(async () => account[Symbol.asyncDispose]());
  return account;
}

/** A place, by default without quotas of calls. */
export function placeForAll(options: EmulatorOptions = {}): Place {
  const place = new Place(emulatorForAll({ ...WITHOUT_QUOTAS, ...options }).emulator);
  afterAll(() => place.closeClients());
  return place;
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
export function scenarioForAll({ resources, settings = {}, config = {} }: ScenarioOptions): Steps {
  const { emulator, service } = emulatorForAll({ settings });
  const recorder = {} as Recorder;
  beforeAll(async () => void Object.assign(recorder, await startRecorder(emulator.baseUrl)));
  const stack = stackForAll(() => ({
    program: programOf(resources),
    emulator: { ...emulator, baseUrl: recorder.baseUrl },
    config,
  }));
  afterAll(async () => recorder[Symbol.asyncDispose]());
  return stepsOf(stack, service, recorder);
}
