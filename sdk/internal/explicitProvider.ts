import * as pulumi from "@pulumi/pulumi";
import { findPlugin, version } from "./findPlugin";

/** Base class of the generated `Provider`. */
export abstract class ComputeCloudProvider extends pulumi.ProviderResource {
  protected constructor(name: string, settings: Record<string, unknown>, options?: pulumi.ResourceOptions) {
    findPlugin();
    const { apiKey } = settings;
    const inputs = { ...settings, ...(apiKey !== undefined && { apiKey: pulumi.secret(apiKey) }) };
    super("computecloud", name, inputs, { version, ...options });
  }
}
