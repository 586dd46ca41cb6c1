import { RunError } from "@pulumi/pulumi";
import { requireNode } from "../common/requireNode";

export type { BaseContainerArgs, ContainerArgs, TemplatedContainerArgs } from "./container";
export * from "./gatedEndpoint";
export * from "./generated/explicitProvider";
export * from "./generated/functions";
export * from "./generated/kinds";
export type { RevisedEndpoint } from "./internal/endpoint";
export type { RevisedTemplate } from "./internal/resource";
export * as jobs from "./jobs";
export * from "./queue";
export * from "./waves";

// Of any other error the engine shows the stack, too.
requireNode(RunError);
