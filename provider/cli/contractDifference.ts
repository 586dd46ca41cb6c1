/** One difference between the service's schema and what the client sends and expects. */
export interface Difference {
  change: "new" | "gone" | "changed";
  /** Operation and place, e.g. `POST /v2/pods request.gpu.count`. */
  where: string;
  what: string;
  /** Whether a call of the client can fail over it, or a program comes to mean something else. */
  breaks: boolean;
}

export function difference(change: Difference["change"], where: string, what: string, breaks: boolean): Difference {
  return { change, where, what, breaks };
}
