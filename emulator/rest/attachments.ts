import { z } from "zod";
import { named, type Route, route } from "../http/route";
import { find } from "../model/lookup";
import { badRequest, notFound } from "../problem";
import type { Service } from "../service";
import type { KeyRight } from "../settings";
import type { Collection } from "../store/collection";
import type { Attached } from "../store/records";

export const attached = named(
  "AttachedResource",
  z.strictObject({ type: z.enum(["POD", "CLUSTER", "SERVERLESS_ENDPOINT", "NETWORK_VOLUME"]), id: z.string().min(1) }),
);

/** The resources to which a new tag or cost center is attached at once. */
export const attachedAtFirst = z.array(attached).max(100).default([]);

const recordsOfType = (
  { store }: Service,
  type: Attached["type"],
): { get(id: string): { readonly id: string } | undefined } => {
  const byType = {
    POD: store.pods,
    CLUSTER: store.clusters,
    SERVERLESS_ENDPOINT: store.endpoints,
    NETWORK_VOLUME: store.networkVolumes,
  };
  return byType[type];
};

/** The resources that still exist. A deleted one has lost its tags and cost centers. */
export function present(service: Service, resources: readonly Attached[]): Attached[] {
  return resources.filter(({ type, id }) => recordsOfType(service, type).get(id) !== undefined);
}

export function checkPresent(service: Service, resources: readonly Attached[]): void {
  if (present(service, resources).length < resources.length) throw badRequest("a resource was not found");
}

interface Bearer {
  readonly id: string;
  readonly resources: readonly Attached[];
}

/** As for the noun's own routes. */
interface Attaching {
  readonly noun: "Tag" | "CostCenter";
  readonly many: "tags" | "costCenters";
  readonly called: string;
  readonly path: "/v2/tags" | "/v2/cost-centers";
  readonly right: KeyRight;
  readonly tag?: string;
}

/** Attaching and detaching, at the address that the settings choose. Both are idempotent. */
export function attachmentRoutes({ noun, many, called, path, right, tag }: Attaching): readonly Route[] {
  const records = ({ store }: Service) => store.collections[many] as Collection<Bearer>;
  const forms = [
    { form: "resources", suffix: "", place: `${path}/{id}/resources/{type}/{resourceId}` },
    { form: "plain", suffix: "Plainly", place: `${path}/{id}/{type}/{resourceId}` },
  ] as const;
  return forms.flatMap(({ form, suffix, place }) => {
    const change = (isAttached: boolean) =>
      route({
        method: isAttached ? "PUT" : "DELETE",
        path: place,
        operationId: `${isAttached ? "attach" : "detach"}${noun}${suffix}`,
        summary: `${isAttached ? "Attach" : "Detach"} a resource, at ${form === "plain" ? "a shorter" : "the usual"} address`,
        right,
        tag,
        success: { 204: null },
        handle: ({ service, params }) => {
          if (service.settings.attachmentPaths !== form) throw notFound();
          const record = find(service, records(service), params.id, called);
          const type = attached.shape.type.safeParse(params.type);
          if (!type.success) throw notFound();
          const resource = { type: type.data, id: params.resourceId };
          find(service, recordsOfType(service, type.data), resource.id, "resource");
          const others = record.resources.filter((each) => each.type !== resource.type || each.id !== resource.id);
          records(service).put({ ...record, resources: isAttached ? [...others, resource] : others });
        },
      });
    return [change(true), change(false)];
  });
}
