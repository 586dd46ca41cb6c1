import { type Operation, operation } from "../calls/operation";
import { ComputeCloudError } from "../errors";
import type { AttachmentCalls } from "../nouns";
import type { CallOptions } from "../options";
import type { AttachedResource } from "../schemas/attachments";
import type { Rest } from "./rest";

type Act = Operation<undefined, undefined, undefined>;

/**
 * Attaches tags and cost centers to resources, and detaches them. Both are idempotent.
 *
 * The service's documentation is ambiguous between two addresses. Both are tried until one of them has worked. Neither is
 * among the operations that `contract-check` looks for.
 */
export function attachments(rest: Rest, kind: Act["kind"], path: string): AttachmentCalls {
  const places = [`${path}/{id}/resources/{type}/{resourceId}`, `${path}/{id}/{type}/{resourceId}`].map((place) => ({
    attach: operation({ method: "PUT", path: place, kind }),
    detach: operation({ method: "DELETE", path: place, kind }),
  }));
  let candidates = places;

  const act = async (
    which: "attach" | "detach",
    id: string,
    { type, id: resourceId }: AttachedResource,
    options: CallOptions,
  ): Promise<void> => {
    const send = (operation: Act) => rest.call(operation, { params: { id, type, resourceId }, ...options });
    let first: unknown;
    for (const place of candidates) {
      try {
        await send(place[which]);
        candidates = [place];
        return;
      } catch (error) {
        first ??= error;
        if (!isUnknownAddress(error)) throw error;
      }
    }
    // Neither address worked, so the 404 was probably about the resource.
    throw first;
  };

  return {
    attach: (id: string, resource: AttachedResource, options: CallOptions = {}) => act("attach", id, resource, options),
    detach: (id: string, resource: AttachedResource, options: CallOptions = {}) => act("detach", id, resource, options),
  };
}

/** Whether a call may have failed because the service has no such address, or no such method there. */
export function isUnknownAddress(error: unknown): boolean {
  return error instanceof ComputeCloudError && (error.status === 404 || error.status === 405);
}
