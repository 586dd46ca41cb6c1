// @long: another language.
/* A gated endpoint in Python, whose component the plugin makes with the class of TypeScript, through its life. */
import { expect, test } from "@jest/globals";
import { getPython, pythonFiles, withPythonSdk } from "../../tools/languages/python";
import type { EmulatorAddresses } from "../../tools/run/environment";

import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";
import { leavesNothing, said } from "../harness/scenario";

interface Program {
  image: string;
  name?: string;
  /** The second component's `gate`. */
  gate?: string;
  options?: string;
}

/** In a component of the user's own, with an argument that isn't known in the first preview; and one in another account. */
const program = (other: EmulatorAddresses, { image, name = "chat", gate = GATE, options = "" }: Program) => `
import json
import pulumi
import pulumi_computecloud as cloud

def endpoint(name, opts, **args):
    return cloud.GatedEndpoint(
        name,
        env={"TOKEN": pulumi.Output.secret("hunter2")},
        gpu=cloud.EndpointGpuArgs(pools=["AMPERE_16"]),
        workers={"max": 2, "idle_timeout": 30},
        scaling=cloud.ScalingArgs(type="QUEUE_DELAY", queue_delay=1),
        opts=opts,
        **args,
    )

class Shop(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("acme:index:Shop", name, None, opts)
        models = cloud.NetworkVolume("models", size=10, data_center="EU-RO-1", opts=pulumi.ResourceOptions(parent=self))
        expect = models.id.apply(lambda id: json.dumps({"output": {"serves": True, "none": None}}))
        self.chat = endpoint(
            "${name}",
            pulumi.ResourceOptions(parent=self, ${options}),
            image="${image}",
            cmd=["serve"],
            network_volumes=[models.id],
            gate=cloud.MeasuringGateArgs(input=json.dumps({"text": "ping", "none": None}), expect=expect, retries=1, jobs=2, cold_start={"max": "1m"}),
            verify=True,
        )

shop = Shop("shop")
other = cloud.Provider("other", api_key="${other.apiKey}", base_url="${other.baseUrl}",
    serverless_url="${other.serverlessUrl}", graphql_url="${other.graphqlUrl}")
endpoint("theirs", pulumi.ResourceOptions(provider=other), image="acme/chat:1", gate=${gate})
pulumi.export("id", shop.chat.endpoint_id)
pulumi.export("candidate", shop.chat.candidate_id)
pulumi.export("run", shop.chat.request_urls.run)
pulumi.export("facts", pulumi.Output.all(shop.chat.type, shop.chat.revision, shop.chat.measured.jobs))
`;

const GATE = 'pulumi.Output.secret({"input": json.dumps({"text": "hunter3"})})';

test("is made, keeps a broken image out, takes a good one at the same id, and goes", async () => {
  const python = await getPython();
  if (python === undefined) return;
  await using emulator = await account();
  await using other = await account();
  const [service, theirs] = [emulator.service, other.service];
  const files = (next: Program) => ({ files: pythonFiles(program(other, next)) });
  await using stack = await newStack({ program: files({ image: "acme/chat:1" }), emulator });
  const env = await withPythonSdk(python, stack);
  const edit = (next: Program) => stack.edit(files(next));
  const served = async (id: unknown) => (await service.state()).endpoints.find((each) => each.id === id)?.image;

  expect((await stack.preview({ env })).changes).toEqual({ create: 16 });
  await stack.up({ env });
  const outputs = await stack.outputs();
  expect(outputs).toEqual({
    id: expect.stringMatching(/^\w+$/),
    candidate: expect.stringMatching(/^\w+$/),
    run: `${emulator.serverlessUrl}/v2/${outputs.id}/run`,
    facts: ["QUEUE", 1, 2],
  });
  expect((await theirs.state()).endpoints).toHaveLength(2);
  expect(await stack.stateText()).not.toMatch(/hunter/);
  expect((await stack.resources()).map(({ type }) => type).filter((type) => /dynamic/.test(type))).toEqual([]);

  await edit({ image: "emulator/fail:1" });
  const broken = await stack.up({ env, fails: true });
  expect(broken.failed).toMatchObject([{ op: "update", name: "chat-gate" }]);
  expect(said(broken)).toMatch(/is FAILED \(attempt 2\)[\s\S]*the handler failed/);
  expect(await served(outputs.id)).toBe("acme/chat:1");

  // Under another name, with its old one as an alias.
  const renamed = { name: "talk", options: 'protect=True, aliases=[pulumi.Alias(name="chat")]' };
  await edit({ image: "acme/chat:2", ...renamed });
  await stack.up({ env });
  expect(await stack.outputs()).toMatchObject({ id: outputs.id, candidate: outputs.candidate });
  expect(await served(outputs.id)).toBe("acme/chat:2");
  const isProtected = (await stack.resources()).filter((resource) => Reflect.get(resource, "protect") === true);
  expect(isProtected.map(({ id }) => id)).toEqual([outputs.id]);

  await service.forgetCalls();
  await edit({ image: "acme/chat:2", ...renamed, gate: '{"input": "ping"}' });
  expect(said(await stack.preview({ env, fails: true }))).toContain(
    'GatedEndpoint "theirs": gate.input is not JSON: give a JSON text, such as json.dumps({"text": "ping"}).',
  );
  expect(await service.writes()).toEqual([]);

  await stack.pulumi(["state", "unprotect", "--all", "--yes"]);
  await leavesNothing(stack, service, { env });
  expect(await theirs.isEmpty()).toBe(true);
});

function account() {
  const serves = () => ({ serves: true, none: null });
  const handlers = { "acme/chat:1": serves, "acme/chat:2": serves };
  return openAccount({ handlers, settings: { rateLimitExempt: true } }, "running");
}
