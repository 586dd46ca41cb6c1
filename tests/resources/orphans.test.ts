import { expect, test } from "@jest/globals";
import { orphansOf } from "../../provider/drift/drift";
import { Place } from "../harness/place";
import { cluster, endpoint, pod, registry, template, volume } from "../harness/requests";

test("an orphan of every kind that the account lists is found, and nothing with a name of somebody's own", async () => {
  await using place = await Place.start();
  const client = place.client();
  for (const name of ["lost-0a1b2c3", "my-own"]) {
    await client.pods.create(pod(name));
    await client.clusters.create(cluster(name));
    await client.serverless.create(endpoint(name));
    await client.templates.create(template(name));
    await client.networkVolumes.create(volume(name));
    await client.registries.create(registry(name));
    await client.delegations.create({ name, resource: `arn:aws:ecr:eu-west-1:123456789012:repository/${name}` });
    await client.secrets.create({ name, value: "hunter2" });
  }
  const orphans = await orphansOf(client, [], new AbortController().signal);
  expect(orphans.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
    ["Cluster", "EcrDelegation", "NetworkVolume", "Pod", "Registry", "Secret", "ServerlessEndpoint", "Template"].map(
      (kind) => `${kind} lost-0a1b2c3`,
    ),
  );
});
