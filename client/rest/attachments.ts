import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import type { CallOptions } from "../options";
import { isUnknownAddress, type Subject } from "../outcomes/statuses";
import type { Rest } from "./rest";

/** A resource that tags and cost centers can be attached to. */
export const AttachedResource = z.object({
  id: z.string().describe("Its id."),
  type: z.enum(["POD", "CLUSTER", "SERVERLESS_ENDPOINT", "NETWORK_VOLUME"]).describe("What it is."),
});
export type AttachedResource = z.infer<typeof AttachedResource>;

/** Puts tags and cost centers on resources. Repeating a call changes nothing more. */
export interface AttachmentCalls {
  /**
   * `PUT` of `…/{id}/resources/{type}/{resourceId}`; after a 404 or 405 also of `…/{id}/{type}/{resourceId}`.
   *
   * @throws NotFoundError when either of the two does not exist
   * @example
   * await client.tags.attach("tag_1a2b", { type: "POD", id: "xedezhzb9la3ye" });
   */
  attach(id: string, resource: AttachedResource, options?: CallOptions): Promise<void>;
  /**
   * `DELETE` of the same path.
   *
   * @throws NotFoundError when either of the two does not exist
   * @example
   * await client.tags.detach("tag_1a2b", { type: "POD", id: "xedezhzb9la3ye" });
   */
  detach(id: string, resource: AttachedResource, options?: CallOptions): Promise<void>;
}

/**
 * Attaches tags and cost centers to resources, and detaches them. Both are idempotent.
 *
 * The service's documentation is ambiguous between two addresses. Both are tried until one of them has worked.
 */
export function attachments(rest: Rest, kind: Subject, path: string): AttachmentCalls {
  const places = [`${path}/{id}/resources/{type}/{resourceId}`, `${path}/{id}/{type}/{resourceId}`].map((place) => ({
    attach: operation({ method: "PUT", path: place, kind }),
    detach: operation({ method: "DELETE", path: place, kind }),
  }));
  let candidates = places;

  const act =
    (which: "attach" | "detach") =>
    async (id: string, { type, id: resourceId }: AttachedResource, options: CallOptions = {}): Promise<void> => {
      let first: unknown;
      for (const place of candidates) {
        try {
          await rest.call(place[which], { params: { id, type, resourceId }, ...options });
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

  return { attach: act("attach"), detach: act("detach") };
}
