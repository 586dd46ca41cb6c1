/** A pending callback on the emulator's clock. */
export interface Timer {
  cancel(): void;
}

interface Entry {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export const DAY_MS = 86_400_000;

/** How far the clock may be ahead of real time: a hundred years. Much later dates can't be represented. */
export const MOST_AHEAD_MS = 36_525 * DAY_MS;
/** The longest single move. Every timer in between runs, even those that repeat hourly. */
export const LONGEST_MOVE_MS = 3653 * DAY_MS;
/** Virtual ms per real ms. The slowest practically stops the clock. */
export const SPEEDS = { slowest: 1e-9, fastest: 100_000 } as const;

/** Node caps `setTimeout` at 2^31 - 1 ms. Longer waits are checked again when the cap is reached. */
const LONGEST_REAL_WAIT_MS = 2_147_483_647;

/**
 * The emulator's time. It follows real time, times `speed`, and can be moved ahead. Then every timer in between runs, in order
 * of its due time, and sees that time as `now`.
 */
export class Clock {
  private readonly heap: Entry[] = [];
  private nextOrder = 0;
  private virtualAnchor: number;
  private realAnchor = performance.now();
  private rate = 1;
  private frozenAt: number | undefined;
  private wakeUp: NodeJS.Timeout | undefined;
  private advancing: Promise<void> = Promise.resolve();
  private stopped = false;

  /** @param start first instant, ms since the epoch. */
  constructor(start: number = Date.now()) {
    this.virtualAnchor = start;
  }

  /** Now, in whole ms since the epoch. */
  now(): number {
    if (this.frozenAt !== undefined) return this.frozenAt;
    return Math.floor(this.exactly());
  }

  private exactly(): number {
    return this.virtualAnchor + (performance.now() - this.realAnchor) * this.rate;
  }

  /** A time as RFC 3339. Default: now. */
  iso(at: number = this.now()): string {
    return new Date(at).toISOString();
  }

  /** Runs `callback` once, `delayMs` from now, and never synchronously. */
  after(delayMs: number, callback: () => void): Timer {
    return this.at(this.now() + delayMs, callback);
  }

  /** Runs `callback` once at the time `due`, or as soon as possible if that has passed. */
  at(due: number, callback: () => void): Timer {
    const entry: Entry = { due, order: this.nextOrder++, run: callback, cancelled: false };
    push(this.heap, entry);
    this.arm();
    return {
      cancel: () => {
        entry.cancelled = true;
      },
    };
  }

  /** Resolves `ms` later on this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Moves the clock ahead; resolves when everything due in between has run. */
  advance(ms: number): Promise<void> {
    this.advancing = this.advancing.then(() => this.move(ms));
    return this.advancing;
  }

  /** Sets the virtual ms per real ms. Initially 1. */
  setSpeed(speed: number): void {
    this.anchor(this.exactly());
    this.rate = speed;
    this.arm();
  }

  get speed(): number {
    return this.rate;
  }

  stop(): void {
    this.stopped = true;
    this.heap.length = 0;
    clearTimeout(this.wakeUp);
  }

  private anchor(virtual: number, real = performance.now()): void {
    this.virtualAnchor = virtual;
    this.realAnchor = real;
  }

  private async move(ms: number): Promise<void> {
    const began = performance.now();
    const target = this.exactly() + ms;
    this.frozenAt = this.now();
    try {
      for (let entry = this.takeDue(target); entry !== undefined; entry = this.takeDue(target)) {
        this.frozenAt = Math.max(this.frozenAt, entry.due);
        entry.run();
        // Work that a timer has started, such as a job's handler, may set further timers inside the move.
        await new Promise(setImmediate);
      }
    } finally {
      // Real time has passed during the move. Without adding it, callers that use both clocks would be ahead of this one.
      this.anchor(target, began);
      this.frozenAt = undefined;
      this.arm();
    }
  }

  private takeDue(until: number): Entry | undefined {
    for (let top = this.heap[0]; top !== undefined && (top.cancelled || top.due <= until); top = this.heap[0]) {
      pop(this.heap);
      if (!top.cancelled) return top;
    }
    return undefined;
  }

  private arm(): void {
    clearTimeout(this.wakeUp);
    const next = this.heap[0];
    if (next === undefined || this.stopped || this.frozenAt !== undefined) return;
    const wait = Math.min(Math.max(0, Math.ceil((next.due - this.now()) / this.rate)), LONGEST_REAL_WAIT_MS);
    this.wakeUp = setTimeout(() => this.fire(), wait);
    this.wakeUp.unref();
  }

  private fire(): void {
    if (this.frozenAt !== undefined) return;
    const now = this.now();
    for (let entry = this.takeDue(now); entry !== undefined; entry = this.takeDue(now)) entry.run();
    this.arm();
  }
}

const earlier = (a: Entry, b: Entry): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (parent === undefined || !earlier(entry, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let childIndex = 2 * index + 1;
    let child = heap[childIndex];
    if (child === undefined) break;
    const right = heap[childIndex + 1];
    if (right !== undefined && earlier(right, child)) {
      childIndex += 1;
      child = right;
    }
    if (!earlier(child, last)) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = last;
}
