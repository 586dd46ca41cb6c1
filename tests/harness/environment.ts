import { afterEach, jest } from "@jest/globals";

/** Sets variables of the environment for the rest of a test; `undefined` takes one away. */
export function environmentForEach(): (variables: NodeJS.ProcessEnv) => void {
  afterEach(() => void jest.restoreAllMocks());
  return (variables) => void jest.replaceProperty(process, "env", { ...process.env, ...variables });
}
