import { LocalWorkspace, type OpMap } from "@pulumi/pulumi/automation";
import { ServerlessContainer } from "pulumi-computecloud";

/** What each tenant gets. */
const tenants: Readonly<Record<string, { readonly workersMax: number }>> = {
  acme: { workersMax: 3 },
  globex: { workersMax: 1 },
};

const commands = ["preview", "up", "destroy"] as const;

/** Runs one tenant's stack, and tells in short what was done. */
async function run(tenant: string, command: (typeof commands)[number]): Promise<string> {
  const stack = await LocalWorkspace.createOrSelectStack({
    projectName: "tenants",
    stackName: tenant,
    program: async () => {
      const chat = new ServerlessContainer("chat", {
        type: "QUEUE",
        image: "registry.example.com/chat:1.4.0",
        gpu: { pools: ["ADA_24"] },
        workers: { max: tenants[tenant]?.workersMax ?? 1 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      });
      return { url: chat.requestUrls };
    },
  });
  if (command === "preview") return summary((await stack.preview()).changeSummary);
  return summary((await stack[command]()).summary.resourceChanges);
}

function summary(changes: OpMap = {}): string {
  return Object.entries(changes)
    .map(([change, count]) => `${count} ${change}`)
    .join(", ");
}

async function main(): Promise<void> {
  const command = commands.find((each) => each === process.argv[2]);
  if (command === undefined) throw new Error(`give one of ${commands.join(", ")}`);
  await Promise.all(
    Object.keys(tenants).map(async (tenant) => console.log(`${tenant}: ${await run(tenant, command)}`)),
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
