/*
 * Preloaded into the processes that make resources: their time runs faster, as the emulator's does, so that a search for
 * a lost create takes seconds instead of minutes. CHAOS_TIME is "<ms since 1970 from when on>:<how many times faster>:<ms
 * that this machine's clock is ahead>". What waits and what measures is the provider's own code.
 */
"use strict";
const isProvider = /dynamic-provider|engine[\\/]plugin[\\/]main/.test(process.argv[1] ?? "");
if (isProvider && process.env.CHAOS_TIME !== undefined) {
  const [base, speed, aheadMs] = process.env.CHAOS_TIME.split(":").map(Number);
  const timers = require("node:timers");
  const promises = require("node:timers/promises");
  const RealDate = Date;
  const realNow = performance.now.bind(performance);
  const began = realNow();
  const beganAt = base + (RealDate.now() - base) * speed + aheadMs;
  const now = () => Math.floor(beganAt + (realNow() - began) * speed);

  globalThis.Date = class HurriedDate extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(now());
      else super(...args);
    }
    static now() {
      return now();
    }
  };
  Object.defineProperty(performance, "now", { value: () => realNow() * speed });
  Object.defineProperty(performance, "timeOrigin", { value: beganAt - began * speed });

  const hurried = (ms) => (typeof ms === "number" && Number.isFinite(ms) ? ms / speed : ms);
  for (const name of ["setTimeout", "setInterval"]) {
    const real = timers[name];
    const ours = (callback, ms, ...rest) => real(callback, hurried(ms), ...rest);
    const inPromises = promises[name];
    const later = (ms, ...rest) => inPromises(hurried(ms), ...rest);
    ours[require("node:util").promisify.custom] = later;
    promises[name] = later;
    timers[name] = ours;
    globalThis[name] = ours;
  }
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => realTimeout(Math.ceil(ms / speed));
}
