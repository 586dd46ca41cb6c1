/* `orphans`: whose notes it reads, and `--delete` beside a run of the stack. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { ledgerOf } from "../../cli/drift/drift";
import { ledgerFolder } from "../../provider/memory/notes";
import { commandOn, documentOf, scriptedEngine } from "../harness/commandLine";
import { folderForEach, leave } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { template } from "../harness/requests";

const place = placeForAll();
const folder = folderForEach();

/** The engine's command line. From the second export on the state has the resource. */
const PULUMI = `case "$*" in
  *"stack ls"*) echo '[{"name":"dev"}]' ;;
  *"stack export"*)
    [ -e "$0.again" ] && resource=$RESOURCE
    touch "$0.again"
    echo "{\\"deployment\\":{\\"resources\\":[$resource]}}" ;;
esac`;

// finds mutant taken-over-and-deleted
test("what a run takes over while the orphans are listed, or somebody is asked, is not deleted", async () => {
  const client = place.client();
  const { id } = await client.templates.create(template("web-0a1b2c3"));
  const env = { ...(await scriptedEngine(folder.path, PULUMI)), RESOURCE: JSON.stringify({ id }) };
  const args = ["orphans", "--delete", "--yes", "--json", "--cwd", folder.path, id];
  const reason = "a state has it by now: a run has taken it over";
  const report = documentOf(await commandOn(place.emulator, args, { env }), 2);
  expect(report).toMatchObject({ named: [{ id }], deleted: [], failed: [{ id, reason }] });
  expect(await client.templates.get(id)).toMatchObject({ id });
});

// The engine runs providers in the folder of what `main` names.
test.each([
  ["the project's folder", "name: shop", "", ""],
  ["a folder inside the project", "name: shop", "src/lib", ""],
  ["a project whose main is a folder", "main: src", "", "src"],
  ["a project whose main is a file", 'main: "src/index.ts" # the program', "", "src"],
  ["the folder of the program", "main: src/index.ts", "src", "src"],
])("orphans reads the notes of killed runs in %s", (_, project, cwd, program) => {
  mkdirSync(folder.at("src/lib"), { recursive: true });
  writeFileSync(folder.at("src/index.ts"), "");
  writeFileSync(folder.at("Pulumi.yaml"), `runtime: nodejs\n${project}\n`);
  const note = { is: "creating", place: "seed", kind: "Pod", name: "web", begun: 1, before: [] };
  leave(ledgerFolder(realpathSync(folder.at(program))), [note]);
  expect([...ledgerOf(folder.at(cwd)).creates.all().keys()]).toEqual(["seed"]);
});

test.each([["orphans"], ["unlock", "--stack", "dev"]])(
  "%s names the file that a killed run left incomplete",
  async (...args) => {
    const stacks = folder.at(".pulumi/stacks/shop");
    mkdirSync(stacks, { recursive: true });
    const files = { "dev.json": "{}", "dev.json.attrs": "", "prod.json": '{"version":', "prod.json.bak": "" };
    for (const [name, text] of Object.entries(files)) writeFileSync(`${stacks}/${name}`, text);
    const engine = await scriptedEngine(folder.path, '[ "$1" = whoami ] || { echo "error: EOF" >&2; exit 1; }');
    const env = { ...engine, PULUMI_BACKEND_URL: `file://${folder.path}` };
    const { exitCode, stderr } = await commandOn(place.emulator, [...args, "--cwd", folder.path], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${stacks}/dev.json.attrs is incomplete, as after a run that was killed. Remove it.`);
    expect(stderr).toContain(
      `${stacks}/prod.json is incomplete, as after a run that was killed. Put ${stacks}/prod.json.bak in its place.`,
    );
    expect(stderr.match(/is incomplete/g)).toHaveLength(2);
  },
);
