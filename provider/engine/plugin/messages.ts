/*
 * The engine's messages to providers. The build puts them here as one file, from the SDK that this package is built with: the
 * program's own may be older, and lacks what the plugin answers.
 */
export { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
export {
  type IResourceProviderServer,
  ResourceProviderClient,
  ResourceProviderService,
} from "@pulumi/pulumi/proto/provider_grpc_pb";
export * from "@pulumi/pulumi/proto/provider_pb";
export { Status } from "@pulumi/pulumi/proto/status_pb";
