/* `pulumi-computecloud migrate` of other providers' states: the program that adopts what they hold. */
import { writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { commandOn, fails, passes } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/place";
import * as requests from "../harness/requests";

const MODEL = `https://huggingface.co/acme/chat:${"0a1b2c3d".repeat(5)}`;
const REPOSITORY = "arn:aws:ecr:eu-west-1:123456789012:repository/worker";

const place = placeForAll();
const folder = folderForAll();
let ids: Record<"template" | "volume" | "endpoint" | "registry" | "delegation" | "globalVolume", string>;
beforeAll(async () => {
  const client = place.client();
  const { id: template } = await client.templates.create({ ...requests.template("chat"), serverless: true }, {});
  const { id: volume } = await client.networkVolumes.create(requests.volume("models"), {});
  const chat = { ...requests.savedEndpoint("chat", template), models: [MODEL] };
  const { id: endpoint } = await client.endpoints.save(chat, {});
  const { id: registry } = await client.registries.create(requests.registry("ghcr"), {});
  const { id: delegation } = await client.delegations.create({ resource: REPOSITORY, name: "ecr" }, {});
  const { id: globalVolume } = await client.globalVolumes.create({ name: "weights" }, {});
  await client.sshKeys.put(["ssh-ed25519 AAAA ops"]);
  ids = { template, volume, endpoint, registry, globalVolume, delegation };
});

async function migrate(option: string, state: unknown, ...more: string[]) {
  await writeFile(folder.at("state.json"), JSON.stringify(state));
  return commandOn(place.emulator, ["migrate", option, folder.at("state.json"), ...more]);
}

const managed = (type: string, id: string, instance = {}) => ({
  mode: "managed",
  type,
  name: "demo",
  provider: 'provider["registry.terraform.io/runpod/runpod"]',
  instances: [{ schema_version: 0, attributes: { id }, ...instance }],
});

test("of Terraform, both versions: what it manages is adopted, the rest is named", async () => {
  const { stdout, stderr, exitCode } = await migrate("--terraform-state", {
    version: 4,
    resources: [
      managed("runpod_template", ids.template),
      managed("runpod_network_volume", ids.volume),
      managed("runpod_endpoint", ids.endpoint),
      managed("runpod_container_registry_auth", ids.registry),
      managed("runpod_ecr_delegation", ids.delegation),
      // Version 2, with its other names.
      managed("runpod_serverless_endpoint", ids.endpoint),
      managed("runpod_registry", ids.registry),
      managed("runpod_registry_delegation", ids.delegation),
      managed("runpod_global_volume", ids.globalVolume),
      { ...managed("runpod_account_ssh_keys", ""), instances: [{ schema_version: 0, attributes: { keys: [] } }] },
      managed("runpod_pod_action", "pod-1"),
      managed("runpod_endpoint_job", "job-1", { index_key: "warm" }),
      managed("runpod_pod", "replaced", { deposed: "c0ffee00" }),
      managed("runpod_pod", "gone"),
      { ...managed("runpod_gpu_types", "data"), mode: "data" },
      managed("aws_instance", "i-1"),
    ],
  });
  expect(stdout).toContain(`const chat = new Template("chat", {\n  adoptId: "${ids.template}",`);
  expect(stdout).toContain("template: chat,");
  for (const id of [...Object.values(ids), "account"]) expect(stdout).toContain(`adoptId: "${id}"`);
  expect(stderr.match(/^.*(has no equivalent|is not in this account)$/gm)).toEqual([
    "Pod gone is not in this account",
    "runpod_pod_action.demo: runpod_pod_action has no equivalent",
    'runpod_endpoint_job.demo["warm"]: runpod_endpoint_job has no equivalent',
  ]);
  expect(stderr).not.toMatch(/aws_instance|gpu_types|replaced/);
  expect(exitCode).toBe(1);
});

test("of Terraform: what holds data is protected, and what has a generated name is left out unless asked for", async () => {
  const name = "data-0a1b2c3";
  const { id } = await place.client().networkVolumes.create(requests.volume(name), { uniqueName: true });
  const state = { version: 4, resources: [ids.volume, id].map((each) => managed("runpod_network_volume", each)) };
  const { stdout, stderr } = await migrate("--terraform-state", state);
  expect(stdout).toMatch(new RegExp(`adoptId: "${ids.volume}",[^;]*}, { protect: true }\\);`));
  expect(stdout).not.toContain(id);
  expect(stderr).toContain(`NetworkVolume ${name} (${id})`);
  expect(stderr).not.toContain("is not in this account");
  const adoption = passes(new RegExp(`adoptId: "${id}"`));
  expect(await migrate("--terraform-state", state, "--auto-named")).toMatchObject(adoption);
});

test("of the vendor's Flash: what its manifest says was deployed, with the volumes that it names", async () => {
  const { stdout, stderr, exitCode } = await migrate("--flash-manifest", {
    version: "1.0",
    resources: {
      chat: {
        resource_type: "ServerlessEndpoint",
        endpoint_id: ids.endpoint,
        networkVolumes: [{ id: ids.volume, name: "models" }],
        env: { TOKEN: "flash-secret" },
      },
      draw: { resource_type: "LiveServerless", networkVolumeId: ids.volume },
    },
    resources_endpoints: {},
  });
  expect(stdout).toContain(`adoptId: "${ids.endpoint}"`);
  expect(stdout.match(new RegExp(`adoptId: "${ids.volume}"`, "g"))).toHaveLength(1);
  expect(stderr).toContain("draw: has no endpoint_id: it was not deployed from this folder");
  expect(stdout + stderr).not.toContain("flash-secret");
  expect(exitCode).toBe(1);
});

const exported = (...resources: readonly object[]) => ({
  version: 3,
  deployment: {
    resources: [
      { urn: "urn:pulumi:dev::fleet::pulumi:pulumi:Stack::fleet-dev", type: "pulumi:pulumi:Stack" },
      ...resources,
    ],
  },
});
const resource = (type: string, id: string, outputs = {}) => ({
  urn: `urn:pulumi:dev::fleet::runpod:index:${type}::demo`,
  type: `runpod:index${type === "RegistryDelegation" ? "/registryDelegation" : ""}:${type}`,
  id,
  outputs,
});
const secret = (value: object) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ...value,
});

test("of Pulumi: by the id inside the outputs of the first official provider, or the resource's own", async () => {
  const { stdout, exitCode } = await migrate(
    "--pulumi-state",
    exported(
      resource("NetworkStorage", "demo", { networkStorage: { id: ids.volume } }),
      resource("Template", ids.template, { templateId: ids.template }),
      resource("GlobalVolume", ids.globalVolume),
      resource("Endpoint", "demo", { endpoint: secret({ plaintext: JSON.stringify({ id: ids.endpoint }) }) }),
      resource("ContainerRegistryAuth", ids.registry),
      resource("RegistryDelegation", ids.delegation),
      { ...resource("Pod", "demo", { pod: { id: "replaced" } }), delete: true },
    ),
  );
  expect(exitCode).toBe(0);
  for (const id of Object.values(ids)) expect(stdout).toContain(`adoptId: "${id}"`);
  expect(stdout).toMatch(new RegExp(`models: \\[\\s*"${MODEL}",?\\s*\\],`));
});

const encrypted = exported(resource("Endpoint", "demo", { endpoint: secret({ ciphertext: "AAAB" }) }));
test.each<[string, string, object, string]>([
  ["a state with encrypted ids", "--pulumi-state", encrypted, "--show-secrets"],
  ["no state of Pulumi", "--pulumi-state", { resources: [] }, "pulumi stack export"],
  ["no manifest of Flash", "--flash-manifest", { version: 4, resources: [] }, "this is not a Flash manifest: give the"],
])("says of %s what it needs", async (_, option, document, said) =>
  expect(await migrate(option, document)).toMatchObject(fails(said)),
);

test("of nothing that is in the account: no next step", async () => {
  const state = { version: 4, resources: [managed("runpod_pod", "gone")] };
  const { stderr, exitCode } = await migrate("--terraform-state", state, "--out", folder.at("nothing"));
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^0 resources\.\n.*gone is not in this account\n$/)]);
});
