/*
 * A service that quotes, in its refusals, what an earlier call has sent: arguments that the program made secrets, variables of
 * an endpoint that is updated in its image alone, another resource's secret. No message of either host shows one, encoded or
 * not, and no state.
 */
import { expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { stackForAll } from "../harness/scenario";

const ARGS = "s3cr3t-args --key=ab/cd+ef";
const ENV = 's3cr3t-env "quoted"';
const INPUT = "s3cr3t-input";
const OTHER = "s3cr3t & <other>";
/** As Go writes it. */
const OTHER_QUOTED = String.raw`s3cr3t \u0026 \u003cother\u003e`;

const programFor = (image: string, prompt: string) => `
  const pulumi = require("@pulumi/pulumi");
  const { Provider, ServerlessContainer, Secret, ServerlessFleet, SmokeJob, Template } = require("pulumi-computecloud");
  const args = pulumi.secret(${JSON.stringify(ARGS)});
  const env = { TOKEN: ${JSON.stringify(ENV)} };
  const native = { provider: new Provider("native", {}) };
  // A process learns a resource's secrets in the check that comes first.
  const dynamic = { dependsOn: new Secret("other", { value: ${JSON.stringify(OTHER)} }) };
  native.dependsOn = new Secret("native-other", { value: ${JSON.stringify(OTHER)} }, { ...native });
  const container = { image: ${JSON.stringify(image)}, args, env };
  new Template("dynamic", container, dynamic);
  new Template("native", container, native);
  for (const [name, options] of [["fleet", dynamic], ["native-fleet", native]])
    new ServerlessFleet(name, { defaults: { gpuIds: "ADA_24", args }, endpoints: { chat: { image: container.image, env } } }, options);
  const queue = { type: "QUEUE", gpu: { pools: ["ADA_24"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 } };
  for (const [name, options] of [["queue", dynamic], ["native-queue", native]])
    new SmokeJob(name, {
      endpoint: new ServerlessContainer(name, { ...queue, ...container }, options),
      input: pulumi.secret({ prompt: ${JSON.stringify(prompt)} }), timeout: "30s",
    }, options);
`;

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
const stack = stackForAll(() => ({ program: programFor("a/b:1", `${INPUT}-1`), emulator }));

const formsOf = (text: string) => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString("base64"),
];
const quoteOf = (...texts: string[]) => `invalid: ${texts.flatMap(formsOf).join(" | ")}`;

/** Every call of these fails, and its answer quotes all that it was ever sent. Of a delete, 400 would say "in use". */
async function refuse(...methods: readonly string[]): Promise<void> {
  const status = methods.includes("DELETE") ? 403 : 400;
  // A refresh or destroy may come to another resource later than to this one.
  const others = methods.includes("POST") ? ` | ${OTHER_QUOTED}` : "";
  const detail = quoteOf(ARGS, ENV) + others;
  await service.clearFaults();
  // Whose the key is, is asked once for all resources, with nothing that could be quoted.
  for (const method of methods)
    for (const path of ["/v2/templates*", "/v2/serverless*"])
      await service.fault({
        match: { interface: "rest", method, path, times: 1000 },
        act: { status, body: { title: "Refused", status, detail } },
      });
  if (methods.includes("POST"))
    await service.fault({
      match: { interface: "graphql", times: 1000 },
      act: { graphqlErrors: [{ message: detail }] },
    });
}

/** What a run printed in which resources failed of such answers. */
async function maskedOutput(run: Promise<{ stdout: string; stderr: string }>): Promise<string> {
  const { stdout, stderr } = await run;
  const all = stdout + stderr;
  expect(all).toContain("invalid: [secret]");
  expect(await stack.stateText()).not.toContain("s3cr3t");
  for (const form of [ARGS, ENV, INPUT].flatMap(formsOf)) expect(all).not.toContain(form);
  expect(all).not.toContain("s3cr3t");
  return all;
}

const everything = ["--continue-on-error"];

// finds mutant others-secrets-quoted
test("of a create, a job, an update of the image alone, a read and a delete", async () => {
  await refuse("POST");
  const created = await maskedOutput(stack.up({ fails: true, args: everything }));
  expect(new Set(created.match(/[\w-]+ creating \(\d+s\) error: [^E]/g)).size).toBeGreaterThanOrEqual(4);

  await service.clearFaults();
  await stack.up();
  await stack.edit(programFor("a/b:1", `${INPUT}-2`));
  const body = { error: quoteOf(`${INPUT}-2`) };
  await service.fault({
    match: { interface: "queue", path: "/v2/*", method: "POST", times: 2 },
    act: { status: 400, body },
  });
  await maskedOutput(stack.up({ fails: true, args: everything }));

  await stack.edit(programFor("a/b:2", `${INPUT}-1`));
  await refuse("PATCH", "POST");
  await maskedOutput(stack.up({ fails: true, args: everything }));

  await refuse("GET");
  await maskedOutput(stack.refresh({ fails: true }));

  await refuse("DELETE");
  await maskedOutput(stack.destroy({ fails: true, args: everything }));
});
