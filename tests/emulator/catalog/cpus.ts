/** A CPU flavor as the catalog knows it. Prices are USD per hour for one vCPU. */
export interface CpuFacts {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly vcpu: { readonly min: number; readonly max: number };
  readonly ramGbPerVcpu: number;
  readonly price: { readonly securePerVcpu: number; readonly serverlessPerVcpu: number };
  /** Largest serverless container disk, GB per vCPU. */
  readonly diskGbPerVcpu: number;
}

export const CPU_FLAVORS: ReadonlyMap<string, CpuFacts> = new Map(
  [
    {
      id: "cpu3c",
      name: "Compute-Optimized 3rd gen",
      group: "compute",
      ram: 2,
      secure: 0.03,
      serverless: 0.038,
      disk: 10,
    },
    {
      id: "cpu3g",
      name: "General Purpose 3rd gen",
      group: "general",
      ram: 4,
      secure: 0.04,
      serverless: 0.05,
      disk: 10,
    },
    {
      id: "cpu3m",
      name: "Memory-Optimized 3rd gen",
      group: "memory",
      ram: 8,
      secure: 0.055,
      serverless: 0.068,
      disk: 10,
    },
    {
      id: "cpu5c",
      name: "Compute-Optimized 5th gen",
      group: "compute",
      ram: 2,
      secure: 0.035,
      serverless: 0.044,
      disk: 15,
    },
  ].map(({ id, name, group, ram, secure, serverless, disk }) => [
    id,
    {
      id,
      name,
      group,
      vcpu: { min: 2, max: 32 },
      ramGbPerVcpu: ram,
      price: { securePerVcpu: secure, serverlessPerVcpu: serverless },
      diskGbPerVcpu: disk,
    },
  ]),
);
