import { randomInt, randomUUID } from "node:crypto";

const LOWER_ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789";

const random = (length: number, alphabet = LOWER_ALNUM): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");

/** New ids, in the service's formats. */
export const newId = {
  pod: () => random(14),
  cluster: () => random(14),
  endpoint: () => random(14),
  worker: () => random(14),
  template: () => random(10),
  networkVolume: () => random(10),
  globalVolume: () => `gsb_${random(20)}`,
  tag: () => `ct${random(23)}`,
  costCenter: () => `cc${random(23)}`,
  secret: () => `cs${random(23)}`,
  registry: () => `cl${random(23)}`,
  delegation: () => `cm${random(23)}`,
  release: () => `cm${random(23)}`,
  machine: () => random(8, "0123456789abcdef"),
  password: () => random(20),
  job: () => `${randomUUID()}-u1`,
  syncJob: () => `sync-${randomUUID()}-u1`,
  request: () => randomUUID(),
};
