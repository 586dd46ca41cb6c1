import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import { type Answer, type Calls, callsTo } from "../../tools/run/calls";
import { Control } from "../../tools/run/control";

/** An emulator of a test's own, stopped when the test leaves the scope (`await using`). */
export interface Account extends Calls, Omit<Emulator, "stop">, AsyncDisposable {
  /** A POST that must answer 201; returns its body. */
  create(path: string, body: unknown): Promise<Answer["body"]>;
  /** The same calls, which must be successful, and the control address. */
  readonly service: Control;
}

/** An emulator of the stricter service, where sources disagree: an endpoint with workers isn't deleted. */
export const startStrict = ({ settings, ...options }: EmulatorOptions = {}): Promise<Emulator> =>
  startEmulator({ ...options, settings: { graphqlDeletesWithWorkers: false, ...settings } });

/** Only `advance` moves the clock from here on, so that nothing depends on how fast a test runs. */
export const stopTime = (calls: Pick<Calls, "control">) => calls.control("POST", "/clock", { speed: 1e-6 });

/** An emulator whose time stands still, unless it is to run with real time, for programs that wait. */
export async function openAccount(
  options: EmulatorOptions = {},
  time: "still" | "running" = "still",
): Promise<Account> {
  const emulator = await startStrict(options);
  const calls = callsTo(emulator);
  if (time === "still") await stopTime(calls);
  const { stop, ...addresses } = emulator;
  return {
    ...calls,
    ...addresses,
    async create(path, body) {
      const answer = await calls.rest("POST", path, body);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    service: new Control(emulator),
    [Symbol.asyncDispose]: () => stop(),
  };
}

/*
 * What all tests of a file share (`…ForAll`), or all of a `describe`, and what each has anew (`…ForEach`): there from their
 * `beforeAll` or `beforeEach` on, and gone after the last.
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
export const accountForAll = (...how: Parameters<typeof openAccount>): Account =>
  accountBetween(beforeAll, afterAll, how);

/** An emulator, which has nothing on it yet. */
export const accountForEach = (...how: Parameters<typeof openAccount>): Account =>
  accountBetween(beforeEach, afterEach, how);

function accountBetween(begin: typeof beforeAll, end: typeof afterAll, how: Parameters<typeof openAccount>): Account {
  const account = {} as Account;
  begin(async () => void Object.assign(account, await openAccount(...how)));
  end(async () => account[Symbol.asyncDispose]());
  return account;
}
