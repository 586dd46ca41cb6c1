/* The engine's own service, as far as it is used. The build puts it here as one file, like `plugin/messages`. */
export { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
export { GetRootResourceRequest, LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
