/** One difference between the service's schema and what the client sends and expects. */
export interface Difference {
  change: "new" | "gone" | "changed";
  /** Operation and place, e.g. `POST /v2/pods request.gpu.count`. */
  where: string;
  what: string;
  /** Whether it can make a call of the client fail, or change the meaning of a program. */
  breaks: boolean;
}

export function difference(change: Difference["change"], where: string, what: string, breaks: boolean): Difference {
  return { change, where, what, breaks };
}
