import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import manifest from "../../package.json";
import { definitions } from "../../provider/resources";
import { examplesIn } from "../../tools/languages/sdks";
import { components } from "../../tools/schema/components";
import { packageSchema } from "../../tools/schema/packageSchema";

interface Program {
  readonly config?: object;
  readonly resources: Readonly<Record<string, { readonly type: string; readonly properties?: object }>>;
}
const { resources } = packageSchema(manifest);
const kinds = Object.values({ ...definitions, ...components }).map(({ kind, examples }) => {
  return { kind, titles: examples.map(({ title }) => title) };
});
const descriptionOf = (kind: string) => resources[`computecloud:index:${kind}`]?.description ?? "";
const example = (kind: string, language: string) => examplesIn(descriptionOf(kind), language)[0];

describe.each(kinds)("the examples of $kind in the package's schema", ({ kind, titles }) => {
  const description = descriptionOf(kind);

  test("are marked as Pulumi's generators look for them, each in every language that is printed", () => {
    const [, section = ""] = /{{% examples %}}\n(.*){{% \/examples %}}$/s.exec(description) ?? [];
    const examples = Array.from(section.matchAll(/{{% example %}}(.*?){{% \/example %}}/gs), ([, text = ""]) => text);
    expect(examples.map((text) => /^### (.*)$/m.exec(text)?.[1])).toEqual(titles);
    for (const text of examples) {
      const languages = Array.from(text.matchAll(/^```(\w+)$/gm), ([, language]) => language);
      expect(languages).toEqual(["typescript", "python", "go", "yaml"]);
    }
  });

  test("are YAML with arguments that the schema has", () => {
    for (const code of examplesIn(description, "yaml")) {
      const program: Program = parse(code);
      expect(Object.keys(program.resources)).not.toEqual(
        expect.arrayContaining(Object.keys(program.config ?? { "": 0 })),
      );
      for (const { type, properties = {} } of Object.values(program.resources)) {
        const inputProperties = resources[type.replace(":", ":index:")]?.inputProperties ?? {};
        expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(properties)));
      }
    }
  });
});

const TWO_ARGUMENTS = "    template_id=template.id,\n    template_revision=template.revision,\n";
test.each([
  ["has what another resource brings as two arguments", "ServerlessEndpoint", "python", TWO_ARGUMENTS],
  ["has each language's names", "ServerlessEndpoint", "go", "TemplateRevision: template.Revision,\n"],
  ["has each language's names", "ServerlessEndpoint", "yaml", `templateId: ${"$"}{template.id}\n`],
  ["leaves the keys of maps alone", "Template", "python", 'env={"MODEL_PATH": "/runpod-volume"}'],
  ["leaves the keys of maps alone", "Template", "go", 'StringMap{"MODEL_PATH": pulumi.String("/runpod-volume")}'],
  ["gives JSON as text", "GatedEndpoint", "python", '"input": json.dumps({"text": "ping"})'],
  ["gives JSON as text", "GatedEndpoint", "go", 'pulumi.String(`{"text":"ping"}`)'],
  ["gives JSON as text", "GatedEndpoint", "yaml", "input:\n          fn::toJSON:\n            text: ping\n"],
  ["reads secrets from the stack's configuration", "Secret", "python", 'value=config.require_secret("hfToken")'],
  ["reads secrets from the stack's configuration", "Secret", "go", 'cfg.RequireSecret("hfToken")'],
])("an example %s: of %s in %s", (_, kind, language, code) => expect(example(kind, language)).toContain(code));

test("an example reads secrets from the stack's configuration, which YAML declares", () => {
  expect(parse(example("Secret", "yaml") ?? "")).toMatchObject({
    config: { hfToken: { type: "string", secret: true } },
    resources: { "hf-token": { properties: { value: `${"$"}{hfToken}` } } },
  });
});
