// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { AttachedResourceArgs } from "./types";

export interface CostCenterArgs extends CommonArgs {
  /** Name of the cost center, 1 to 50 characters. Updates in place. */
  value: Input<string>;
  /**
   * The attributed resources. Changes made outside of the program are undone by the first run after a refresh. Default:
   * none. Another order is not a change. Updates in place.
   */
  resources?: Input<Input<AttachedResourceArgs>[]>;
}

/**
 * A label to which pods, clusters, serverless endpoints and network volumes are attributed. An older service can't
 * delete one: it is emptied then, and a warning says so.
 *
 * @example What research pays for
 * ```ts
 * import { CostCenter, NetworkVolume } from "pulumi-computecloud";
 *
 * const networkVolume = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" });
 * const research = new CostCenter("research", {
 *   value: "research",
 *   resources: [{ type: "NETWORK_VOLUME", id: networkVolume.id }],
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/cost-centers/create-a-cost-center (POST /v2/cost-centers)
 */
export class CostCenter extends ComputeCloudResource {
  /** Name of the cost center, 1 to 50 characters. */
  declare readonly value: Output<string>;

  constructor(name: string, args: CostCenterArgs, options?: CustomResourceOptions) {
    super({ provider: "costCenter", type: "CostCenter", outputs: ["value"], named: false }, name, args, options);
  }
}
