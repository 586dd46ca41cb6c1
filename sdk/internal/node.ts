import * as pulumi from "@pulumi/pulumi";
import { nodeProblem } from "../../common/requireNode";

/** @throws pulumi.RunError if Node is too old: the engine shows only its message */
export function requireNode(): void {
  const problem = nodeProblem();
  if (problem !== undefined) throw new pulumi.RunError(problem);
}
