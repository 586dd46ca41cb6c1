import { ServerCredentials } from "@grpc/grpc-js";
import { endWithEngine } from "../endWithEngine";
import { pluginServer } from "./server";

/** Answers the engine until it ends or says so. */
export function serve(): void {
  pluginServer().bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) {
      console.error(`pulumi-resource-computecloud can't listen: ${error.message}`);
      process.exit(1);
    }
    // The engine reads the port from the first line, and nothing else may stand there.
    process.stdout.write(`${port}\n`);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));
  endWithEngine();
}
