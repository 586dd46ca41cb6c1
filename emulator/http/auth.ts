import { forbidden, unauthorized } from "../problem";
import type { ApiKey, KeyRight, Settings } from "../settings";

export class Keyring {
  constructor(
    private readonly mainKey: string,
    private readonly settings: () => Settings,
  ) {}

  /** The caller of a key. A missing or unknown key is a 401. */
  caller(key: string | undefined): ApiKey {
    if (key === undefined) throw unauthorized();
    const apiKey = this.find(key);
    if (apiKey === undefined) throw unauthorized("invalid api key");
    return apiKey;
  }

  find(key: string | undefined): ApiKey | undefined {
    if (key === this.mainKey) return { key, kind: "all", areas: {}, endpoints: {} };
    return this.settings().keys.find((candidate) => candidate.key === key);
  }
}

/** The key of an `Authorization: Bearer KEY` header. */
export const bearerKey = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];

/** Refuses, with a 403, what the caller's key does not allow. `endpointId` matters to the queue only. */
export function authorize(key: ApiKey, right: KeyRight, need: "read" | "write", endpointId = ""): void {
  const ofArea = (right === "queue" ? key.endpoints[endpointId] : undefined) ?? key.areas[right] ?? "none";
  const granted = key.kind === "all" ? "read-write" : key.kind === "read-only" ? key.kind : ofArea;
  if (granted === "none" || (granted === "read-only" && need === "write")) throw forbidden();
}
