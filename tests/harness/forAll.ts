import { afterAll, beforeAll } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import { Control } from "../../tools/run/control";
import { newStack, Stack, type StackOptions, type StackPlace } from "../../tools/run/stack";
import { Place, WITHOUT_QUOTAS } from "./place";

/*
 * What all tests of a file share, or all of a `describe`. It is there from their `beforeAll` on, and gone after the last.
 */

/** An emulator, and its control address. */
export function emulatorForAll(options: EmulatorOptions = {}): { emulator: Emulator; service: Control } {
  const emulator = {} as Emulator;
  let started: Emulator | undefined;
  beforeAll(async () => {
    started = await startEmulator(options);
    Object.assign(emulator, started);
  });
  afterAll(() => started?.stop());
  return { emulator, service: new Control(emulator) };
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
  let made: Stack | undefined;
  beforeAll(async () => {
    made = await newStack(options());
    Object.assign(place, made.place);
  });
  afterAll(() => made?.remove());
  return stack;
}
