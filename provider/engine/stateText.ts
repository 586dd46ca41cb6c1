import { runPulumi } from "./pulumiCommand";

/** How long the engine's command line may take to show the state. */
const PATIENCE_MS = 20_000;

/**
 * Reads the stack's state from its backend. Providers are not shown it, so the engine's command line is asked, once in a
 * run. That takes about a second, so it is only for questions that nothing else answers.
 *
 * @param address of the engine, which knows the stack's name
 * @returns whether the state holds an id; undefined if the state can't be read
 */
export function stateReader(address: string | undefined, signal: AbortSignal) {
  let text: Promise<string | undefined> | undefined;
  return async (id: string): Promise<boolean | undefined> => {
    text ??= exported(address, signal).catch(() => undefined);
    return (await text)?.includes(JSON.stringify(id));
  };
}

async function exported(address: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  const stack = address === undefined ? undefined : await stackName(address);
  if (stack === undefined) return undefined;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const { exitCode, stdout } = await runPulumi(["stack", "export", "--stack", stack], { signal: patience });
  return exitCode === 0 ? stdout : undefined;
}

/** The name in the URN of the stack itself, `urn:pulumi:<stack>::<project>::…`. */
function stackName(address: string): Promise<string | undefined> {
  const { EngineClient } =
    require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  const { GetRootResourceRequest } =
    require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
  const { credentials } = require("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
  const client = new EngineClient(address, credentials.createInsecure());
  return new Promise((resolve) => {
    client.getRootResource(new GetRootResourceRequest(), (error, answer) => {
      client.close();
      resolve(error === null ? /^urn:pulumi:(.+?)::/.exec(answer.getUrn())?.[1] : undefined);
    });
  });
}
