/** Defaults of `saveEndpoint` for omitted fields, in creates and in updates. */
export const ENDPOINT_DEFAULTS = {
  idleTimeout: 10,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  workersMax: 3,
  workersMin: 0,
  gpuCount: 1,
} as const;
