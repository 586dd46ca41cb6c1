/** A CPU flavor in the catalog. Prices are in USD per hour for one vCPU. */
export interface CpuFacts {
  readonly id: string;
  readonly name: string;
  /** Generation. */
  readonly group: string;
  readonly vcpu: { readonly min: number; readonly max: number };
  readonly ramGbPerVcpu: number;
  readonly price: { readonly securePerVcpu: number; readonly serverlessPerVcpu: number };
  /** Largest serverless container disk, GB per vCPU. */
  readonly diskGbPerVcpu: number;
}

type Row = readonly [id: string, name: string, group: string, ram: number, secure: number, serverless: number];

/** Id, name, generation, GB per vCPU, USD/h per vCPU as a pod and as a serverless worker. */
const FLAVORS: readonly Row[] = [
  ["cpu3c", "Compute-Optimized", "Gen 3", 2, 0.03, 0.038],
  ["cpu3g", "General Purpose", "Gen 3", 4, 0.04, 0.05],
  ["cpu3m", "Memory-Optimized", "Gen 3", 8, 0.055, 0.068],
  ["cpu5c", "Compute-Optimized", "Gen 5", 2, 0.035, 0.044],
  ["cpu5g", "General Purpose", "Gen 5", 4, 0.045, 0.056],
];

const DISK_GB_PER_VCPU: Readonly<Record<string, number>> = { "Gen 3": 10, "Gen 5": 15 };

export const CPU_FLAVORS: ReadonlyMap<string, CpuFacts> = new Map(
  FLAVORS.map(([id, name, group, ramGbPerVcpu, securePerVcpu, serverlessPerVcpu]) => [
    id,
    {
      id,
      name,
      group,
      vcpu: { min: 2, max: 32 },
      ramGbPerVcpu,
      price: { securePerVcpu, serverlessPerVcpu },
      diskGbPerVcpu: DISK_GB_PER_VCPU[group] ?? 10,
    },
  ]),
);
