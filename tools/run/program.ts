import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type * as computecloud from "../../sdk/index";
import { checkout } from "./environment";

/**
 * A Pulumi program:
 * - a function of the sdk and of `@pulumi/pulumi`, which must use nothing from around it, as it runs in another process;
 *   what it returns becomes the stack's outputs;
 * - the text of a CommonJS module;
 * - a project's files, by name;
 * - a project's folder, from the checkout's root, which is copied.
 */
export type Program =
  | ((
      sdk: typeof computecloud,
      pulumi: typeof import("@pulumi/pulumi"),
    ) => pulumi.Inputs | Promise<pulumi.Inputs> | undefined | undefined)
  | string
  | { files: Readonly<Record<string, string>> }
  | { folder: string };

/** The files of a project, named `test`, with this program. */
export function programFiles(program: Exclude<Program, { folder: string }>): Record<string, string> {
  if (typeof program === "object") return { ...projectFiles("index.ts" in program.files), ...program.files };
  const text =
    typeof program === "string"
      ? program
      : `module.exports = () => (${program})(require("pulumi-computecloud"), require("@pulumi/pulumi"));\n`;
  return { ...projectFiles(false), "index.js": text };
}

function projectFiles(typescript: boolean): Record<string, string> {
  const name = "test";
  const settings = {
    name,
    // Programs in plain JavaScript spare every command the start of the TypeScript compiler.
    runtime: { name: "nodejs", options: { typescript } },
    plugins: { providers: [{ name: "computecloud", path: join(checkout, "provider/bin") }] },
  };
  const main = typescript ? "index.ts" : "index.js";
  return {
    // JSON is YAML.
    "Pulumi.yaml": JSON.stringify(settings),
    "package.json": JSON.stringify({ name, private: true, main }),
  };
}
