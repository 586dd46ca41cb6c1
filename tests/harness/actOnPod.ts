import type { Control } from "../../tools/run/control";
import { until } from "./until";

/** What somebody does to a pod in the console. It is waited for, because a boot takes some turns, even one of no time. */
export async function actOnPod(service: Control, id: string, action: "start" | "stop" | "restart"): Promise<void> {
  await service.rest("POST", `/v2/pods/${id}/action`, { action });
  const reached = action === "stop" ? "EXITED" : "RUNNING";
  await until(async () => Object(await service.rest("GET", `/v2/pods/${id}`)).status === reached);
}
