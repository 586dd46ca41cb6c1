/** What `saveEndpoint` takes, in a create and in an update alike, for what its input leaves out. */
export const ENDPOINT_DEFAULTS = {
  idleTimeout: 10,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  workersMax: 3,
  workersMin: 0,
  gpuCount: 1,
} as const;
