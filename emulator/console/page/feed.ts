import { useEffect, useState } from "preact/hooks";
import type { Addresses, ArmedFault, DayCost, Detail, DetailKind, Kind, Overview, RequestLine, Row } from "./protocol";

/** How many calls the page keeps. */
const MOST_REQUESTS = 1000;

export interface SeenRow extends Row {
  /** When it changed, by the page's own clock; absent for what was there when the page opened. */
  readonly changedAt?: number;
}

/** The page's copy of the emulator's state. Each event replaces it as a whole. */
export interface Fleet {
  readonly rows: ReadonlyMap<Kind, ReadonlyMap<string, SeenRow>>;
  /** Newest first. */
  readonly requests: readonly RequestLine[];
  readonly faults: readonly ArmedFault[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly costByDay: readonly DayCost[];
  readonly clock: Overview["clock"];
  readonly addresses: Addresses;
}

const EMPTY: Fleet = {
  rows: new Map(),
  requests: [],
  faults: [],
  settings: {},
  costByDay: [],
  clock: { now: Date.now(), speed: 1 },
  addresses: { baseUrl: "", serverlessUrl: "", graphqlUrl: "" },
};

export interface Live<T> {
  readonly value: T;
  readonly isConnected: boolean;
}

export const useFleet = (): Live<Fleet> => useEvents("events", "overview", EMPTY, applyOverview);

export function useDetail(kind: DetailKind, id: string, showsSecrets: boolean): Live<Detail | undefined> {
  const path = `events/${kind}/${encodeURIComponent(id)}?secrets=${showsSecrets ? "shown" : "hidden"}`;
  return useEvents<Detail | undefined, Detail>(path, "detail", undefined, (_before, detail) => detail);
}

/**
 * Follows a stream of events. The browser reconnects by itself after a restart of the emulator. The state of the former path
 * stays until the first event of the new one.
 */
function useEvents<State, Event>(
  path: string,
  name: string,
  initial: State,
  apply: (before: State, event: Event) => State,
): Live<State> {
  const [live, setLive] = useState<Live<State>>({ value: initial, isConnected: false });
  useEffect(() => {
    const source = new EventSource(path);
    source.addEventListener(name, ({ data }) =>
      setLive(({ value }) => ({ value: apply(value, JSON.parse(data)), isConnected: true })),
    );
    source.addEventListener("error", () => setLive(({ value }) => ({ value, isConnected: false })));
    return () => source.close();
  }, [path]);
  return live;
}

/** The emulator's time, extrapolated between events. */
export function useNow({ now, speed }: Overview["clock"]): number {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    setPassed(0);
    const timer = setInterval(() => setPassed(performance.now() - startedAt), 1000);
    return () => clearInterval(timer);
  }, [now, speed]);
  return now + passed * speed;
}

export function applyOverview(before: Fleet, event: Overview): Fleet {
  const base = event.fresh ? EMPTY : before;
  return {
    rows: applyRows(base.rows, event),
    requests: applyRequests(base.requests, event.requests),
    faults: event.faults ?? base.faults,
    settings: event.settings ?? base.settings,
    costByDay: event.costByDay ?? base.costByDay,
    clock: event.clock,
    addresses: event.addresses ?? base.addresses,
  };
}

function applyRows(before: Fleet["rows"], { resources, removed, fresh }: Overview): Fleet["rows"] {
  if (resources.length === 0 && removed.length === 0) return before;
  const rows = new Map(before);
  const ofKind = new Map<Kind, Map<string, SeenRow>>();
  const copy = (kind: Kind): Map<string, SeenRow> => {
    const copied = ofKind.get(kind) ?? new Map(before.get(kind));
    ofKind.set(kind, copied);
    rows.set(kind, copied);
    return copied;
  };
  for (const row of resources) copy(row.kind).set(row.id, { ...row, ...(!fresh && { changedAt: performance.now() }) });
  for (const { kind, id } of removed) copy(kind).delete(id);
  return rows;
}

/** Merges calls: each is reported when it arrives, and again when it is answered. */
function applyRequests(before: Fleet["requests"], incoming: readonly RequestLine[]): Fleet["requests"] {
  if (incoming.length === 0) return before;
  const fresh = new Map(incoming.map((line) => [line.number, line]));
  const unchanged = before.filter(({ number }) => !fresh.has(number));
  return [...unchanged, ...fresh.values()].sort((a, b) => b.number - a.number).slice(0, MOST_REQUESTS);
}
