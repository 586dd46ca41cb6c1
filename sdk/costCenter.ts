// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { AttachedResourceArgs } from "./types";

export interface CostCenterArgs extends CommonArgs {
  /** What it is called, 1 to 50 characters. Changing it replaces. */
  value: Input<string>;
  /**
   * What is attributed to it. What somebody else has changed of that is set back by the run after a refresh. Default:
   * none. Another order is not a change. Updates in place.
   */
  resources?: Input<Input<AttachedResourceArgs>[]>;
}

/**
 * What pods, clusters, serverless endpoints and network volumes are attributed to. No document of the service tells
 * that one can be changed or deleted: another value makes another one, and one that can't be deleted is emptied.
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
 */
export class CostCenter extends ComputeCloudResource {
  /** What it is called, 1 to 50 characters. */
  declare readonly value: Output<string>;

  constructor(name: string, args: CostCenterArgs, options?: CustomResourceOptions) {
    super({ provider: "costCenter", type: "CostCenter", outputs: ["value"], named: false }, name, args, options);
  }
}
