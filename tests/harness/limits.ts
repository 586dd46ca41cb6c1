import { afterEach, beforeEach, jest } from "@jest/globals";
import { until } from "./until";

/**
 * In these tests the time limits of calls pass on command alone: how long a busy machine takes to send a request is luck. Stands
 * before what closes clients, so that their limits pass again.
 *
 * @returns lets so many milliseconds pass, again and again until the work has ended
 */
export function limitsOnCommand(): <T>(ms: number, work: Promise<T>) => Promise<T> {
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ["Date", "hrtime", "nextTick", "performance", "queueMicrotask", "setImmediate", "setInterval"],
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  return async (ms, work) => {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await until(() => {
      jest.advanceTimersByTime(ms);
      return isOver;
    });
    return work;
  };
}
