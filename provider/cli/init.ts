import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { explain, jsonOption } from "./help";
import { print, printJson } from "./output";
import { inFolder, type Language, languages, npmInstall, projectFiles, writeProject } from "./project";

/** Where `pulumi-computecloud emulator --port 4010` answers. */
const EMULATOR = `config:
  computecloud:apiKey: emulator-key
  computecloud:baseUrl: http://127.0.0.1:4010
  computecloud:serverlessUrl: http://127.0.0.1:4011
  computecloud:graphqlUrl: http://127.0.0.1:4010/graphql
`;
const CLOUD = "config:\n  computecloud:cloud: runpod\n";

/** What makes the package, once it is there, ready for a language's programs. */
const INSTALL: Readonly<Record<Language, readonly string[]>> = {
  typescript: [],
  python: ["npx pulumi-computecloud plugin install", "pulumi install"],
  yaml: ["npx pulumi-computecloud plugin install"],
};

export function init(command: Command): void {
  explain(command, {
    examples: ["init my-fleet", "init trial --emulator", "init my-fleet --language python"],
    connects: false,
  });
  command
    .description("Writes a project that is ready to run, with a pipeline file, and prints the next three lines.")
    .argument("[folder]", "where; made when it is not there", ".")
    .addOption(
      command
        .createOption("--language <language>", "of the program")
        .choices(languages)
        .default("typescript" as const),
    )
    .option("--emulator", "for a trial without an account, on this machine")
    .option(...jsonOption)
    .action(async (folder, { language, emulator, json }) => {
      const stack = emulator ? "trial" : "dev";
      const files = new Map([
        ...(await projectFiles(folder, language)),
        [`Pulumi.${stack}.yaml`, emulator ? EMULATOR : CLOUD],
      ]);
      const written = await writeProject(folder, files, ["Pulumi.yaml"]);
      const kept = [...files.keys()].filter((path) => !written.includes(path));
      const install = [await npmInstall(folder, files), ...INSTALL[language]].join(" && ");
      const next = nextLines(inFolder(folder, install), stack);
      const [inProject, alreadyThere] = [written, kept].map((paths) => paths.map((path) => join(folder, path)));
      if (json) return printJson({ folder, written: inProject, kept: alreadyThere, next });
      if (kept.length > 0) print(`Left as it was: ${kept.join(", ")}.`);
      print(`Wrote ${written.length} files. Next:`);
      for (const line of next) print(`  ${line}`);
    });
}

function nextLines(install: string, stack: "trial" | "dev"): readonly string[] {
  return [
    install,
    stack === "trial"
      ? "npx pulumi-computecloud emulator --port 4010   # in a terminal of its own"
      : "export COMPUTECLOUD_API_KEY=…",
    `pulumi stack init ${stack} && pulumi up`,
  ];
}
