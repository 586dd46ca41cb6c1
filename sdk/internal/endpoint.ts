import type { Input, Output } from "@pulumi/pulumi";

/**
 * A ServerlessEndpoint, a ServerlessContainer or a fleet's member. A job runs again after this provider has updated the
 * endpoint.
 */
export interface RevisedEndpoint {
  readonly id: Output<string>;
  readonly revision: Output<number>;
  /** Only a queue runs jobs: a load balancer is an error in the preview. */
  readonly type?: Output<string>;
}

/** Exactly one of `endpoint` and `endpointId`. */
export type EndpointOrId =
  | {
      /** The endpoint to try. The job runs again when its id or its `revision` changes. */
      endpoint: RevisedEndpoint;
      endpointId?: undefined;
    }
  | {
      /** Id of the endpoint to try, made elsewhere. The job runs again when it changes. */
      endpointId: Input<string>;
      endpoint?: undefined;
    };

/** Replaces `endpoint` by the endpoint's id, revision and type. */
export function giveEndpoint(given: Map<string, unknown>): void {
  const endpoint = given.get("endpoint") as RevisedEndpoint | undefined;
  given.delete("endpoint");
  if (endpoint === undefined) return;
  given.set("endpointId", endpoint.id).set("endpointRevision", endpoint.revision).set("endpointType", endpoint.type);
}
