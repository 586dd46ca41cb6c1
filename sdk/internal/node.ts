import * as pulumi from "@pulumi/pulumi";
import { nodeProblem } from "../../provider/common/requireNode";

/** @throws pulumi.RunError, whose message is all that the engine shows */
export function requireNode(): void {
  const problem = nodeProblem();
  if (problem !== undefined) throw new pulumi.RunError(problem);
}
