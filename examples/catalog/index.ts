import * as pulumi from "@pulumi/pulumi";
import { estimateCost, getBilling, Pod, pickGpu } from "pulumi-computecloud";

const config = new pulumi.Config();
const memory = config.getNumber("memory") ?? 24;
const maxPricePerHour = config.getNumber("maxPricePerHour") ?? 1;

/** What the account spent on each day of the last week, in USD, as a table. */
async function lastWeek(): Promise<string> {
  const { records, metadata } = await getBilling({ lastN: 7 });
  const rows = records.map((day) => [
    day.startTime.slice(0, 10),
    day.podGpuAmount + day.podCpuAmount + day.podDiskAmount,
    day.serverlessGpuAmount + day.serverlessCpuAmount + day.serverlessDiskAmount + day.serverlessFeeAmount,
    day.clusterGpuAmount + day.clusterDiskAmount + day.clusterNetworkingAmount,
    day.storageStandardAmount + day.storageHighPerformanceAmount,
    day.totalAmount,
  ]);
  const line = (cells: (string | number)[]) =>
    cells.map((cell) => (typeof cell === "number" ? cell.toFixed(2) : cell).padStart(11)).join("");
  return [
    line(["day", "pods", "serverless", "clusters", "storage", "total"]),
    ...rows.map(line),
    line(["total", "", "", "", "", metadata.totals.totalAmount]),
  ].join("\n");
}

export = async () => {
  const gpu = await pickGpu({ memory, maxPricePerHour });
  const args = { gpu: { id: gpu.id }, image: "registry.example.com/notebook:2.1.0", disk: 20 };
  const { hourly, monthly } = await estimateCost({ pod: args });

  await pulumi.log.info(`What the fleet cost, in USD:\n${await lastWeek()}`);
  await pulumi.log.info(
    `${gpu.name}, ${gpu.memory} GB: ${hourly.toFixed(2)} USD an hour, ${monthly.toFixed(0)} a month`,
  );

  const notebook = new Pod("notebook", { ...args, gpuAlternatives: gpu.gpuAlternatives });
  return { picked: gpu.id, became: notebook.gpuTypeId, costPerHour: notebook.costPerHour };
};
