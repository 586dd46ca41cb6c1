import type { Input, Output } from "@pulumi/pulumi";

/**
 * A ServerlessEndpoint, a ServerlessContainer or a fleet's member. A job runs again, and a request is sent again, after
 * this provider has updated the endpoint.
 */
export interface RevisedEndpoint {
  readonly id: Output<string>;
  readonly revision: Output<number>;
  /** Only a queue runs jobs: a load balancer is an error in the preview. A Template, which has none, is no endpoint. */
  readonly type: Output<string>;
}

/** Arguments that others exclude. */
type Without<Name extends string> = { [Excluded in Name]?: undefined };

/** Exactly one of `endpoint` and `endpointId`. */
export type EndpointOrId =
  | (Without<"endpointId"> & {
      /** The endpoint to try. The job runs again when its id or its `revision` changes. */
      endpoint: RevisedEndpoint;
    })
  | (Without<"endpoint"> & {
      /** Id of the endpoint to try, made elsewhere. The job runs again when it changes. */
      endpointId: Input<string>;
    });

/** A Pod. A request is sent again when it has another image. */
interface PodWithImage {
  readonly id: Output<string>;
  readonly image?: Output<string | undefined>;
}

/** Exactly one of `endpoint`, `endpointId`, `pod`, `podId` and `url`. */
export type RequestTarget =
  | (EndpointOrId & Without<"pod" | "podId" | "port" | "url">)
  | (Without<"endpoint" | "endpointId" | "url"> & {
      /** The pod's http port. Default: its only one. */
      port?: Input<number>;
    } & (
        | (Without<"podId"> & {
            /** The pod to try, through the service's proxy. The request is sent again when its id or its `image` changes. */
            pod: PodWithImage;
          })
        | (Without<"pod"> & {
            /** Id of the pod to try, made elsewhere, through the service's proxy. */
            podId: Input<string>;
          })
      ))
  | (Without<"endpoint" | "endpointId" | "pod" | "podId" | "port"> & {
      /** An address of any server. It never gets the account's key. */
      url: Input<string>;
    });

/** Replaces `endpoint` by the endpoint's id, revision and type, and `pod` by the pod's id and image. */
export function giveEndpoint(args: Map<string, unknown>): void {
  const endpoint = args.get("endpoint") as RevisedEndpoint | undefined;
  const pod = args.get("pod") as PodWithImage | undefined;
  args.delete("endpoint");
  args.delete("pod");
  if (pod !== undefined) args.set("podId", pod.id).set("podImage", pod.image);
  if (endpoint === undefined) return;
  args.set("endpointId", endpoint.id).set("endpointRevision", endpoint.revision).set("endpointType", endpoint.type);
}
