import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isSea } from "node:sea";
import { credentials } from "@grpc/grpc-js";
import { type ConstructRequest, type ConstructResponse, ResourceProviderClient } from "./messages";

/** The process that makes components has ended, or could not make one. */
class ComponentError extends Error {
  override readonly name = "ComponentError";
}

/** The argument with which the plugin's executable hosts components instead. */
const HOST_OF_COMPONENTS = "--components";

/**
 * Makes components in a process of its own, because an error in a program's class would end this one. The process starts
 * on first use. It ends when its standard input closes, which is when this process ends.
 */
export class Components {
  #host: Promise<ResourceProviderClient> | undefined;

  /** @param engine address of the engine */
  constructor(private readonly engine: string) {}

  /** @throws ComponentError if the component fails, the run is cancelled or the process ends */
  async construct(request: ConstructRequest, signal: AbortSignal): Promise<ConstructResponse> {
    this.#host ??= this.#start();
    const host = await this.#host;
    return new Promise((resolve, reject) => {
      const call = host.construct(request, (error, response) => {
        signal.removeEventListener("abort", leave);
        if (error === null) resolve(response);
        else reject(new ComponentError(signal.aborted ? "not finished: the run has ended" : error.details));
      });
      const leave = () => call.cancel();
      signal.addEventListener("abort", leave);
    });
  }

  async #start(): Promise<ResourceProviderClient> {
    const program = isSea() ? HOST_OF_COMPONENTS : join(__dirname, "../../../sdk/componentHost.js");
    const child = spawn(process.execPath, [program, this.engine], { stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", () => {
        this.#host = undefined;
        reject(new ComponentError("the process that makes components has ended"));
      });
    });
    ended.catch(() => {});
    const [port] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
    return new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
  }
}
