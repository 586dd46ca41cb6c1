import { requireNode } from "./internal/node";

export type { BaseContainerArgs, ContainerArgs, TemplatedContainerArgs } from "./container";
export * from "./explicitProvider";
export * from "./functions";
export * from "./gatedEndpoint";
export type { RevisedEndpoint } from "./internal/endpoint";
export type { RevisedTemplate } from "./internal/resource";
export * as jobs from "./jobs";
export * from "./kinds";
export * from "./queue";
export * from "./waves";

requireNode();
