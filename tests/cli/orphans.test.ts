/* `orphans --delete` beside a run of the stack. */
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { expect, test } from "@jest/globals";
import { commandOn } from "../harness/commandLine";
import { folderForEach } from "../harness/folder";
import { placeForAll } from "../harness/forAll";
import { template } from "../harness/requests";

const place = placeForAll();
const folder = folderForEach();

/** The engine's command line. From the second export on the state has the resource. */
const PULUMI = `#!/bin/sh
case "$*" in
  *"stack ls"*) echo '[{"name":"dev"}]' ;;
  *"stack export"*)
    [ -e "$0.again" ] && resource=$RESOURCE
    touch "$0.again"
    echo "{\\"deployment\\":{\\"resources\\":[$resource]}}" ;;
esac
`;

// finds mutant taken-over-and-deleted
test("what a run takes over while the orphans are listed, or somebody is asked, is not deleted", async () => {
  const client = place.client();
  const { id } = await client.templates.create(template("web-0a1b2c3"));
  await mkdir(folder.at("bin"));
  await writeFile(folder.at("bin/pulumi"), PULUMI, { mode: 0o755 });
  const { exitCode, stdout } = await commandOn(
    place.emulator,
    ["orphans", "--delete", "--yes", "--json", "--cwd", folder.path, id],
    { env: { PATH: [folder.at("bin"), process.env.PATH].join(delimiter), RESOURCE: JSON.stringify({ id }) } },
  );
  expect(JSON.parse(stdout)).toMatchObject({
    named: [{ id }],
    deleted: [],
    failed: [{ id, reason: "a state has it by now: a run has taken it over" }],
  });
  expect(exitCode).toBe(2);
  expect(await client.templates.get(id)).toMatchObject({ id });
});
