import { badRequest } from "../problem";

/** The bounds that the service enforces, over both interfaces. */
export const LEAST = { diskGb: 1, persistentGb: 10, volumeGb: 10, idleSeconds: 1, gpus: 1, requestCount: 1 } as const;
export const MOST = { volumeGb: 4096, idleSeconds: 3600, podBytes: 102_400, nameLength: 191 } as const;

/** Of every kind; the service's documents say so only of some. */
export function checkName(name: string): void {
  if (name.length > MOST.nameLength) throw badRequest(`a name has at most ${MOST.nameLength} characters`);
}
