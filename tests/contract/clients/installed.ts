import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt, cachedFolder } from "../../../tools/run/cachedFolder";

/** The clients that the tests run, as their registries have them. */
const PYTHON = ["runpod==1.12.0"];
const NODE = ["runpod-sdk@1.1.2", "@runpod/mcp-server@4.0.0", "openapi-typescript@7.13.0", "openapi-fetch@0.17.0"];

/** OpenAI's own clients, apart from the others: they are many megabytes. */
const OPENAI = { python: ["openai==3.57.0"], node: ["openai@7.57.0"] };

/** The interpreter of an environment that has the service's Python client; undefined, and a line about it, where there is none. */
export const pythonClient = () => pythonWith("clients-python", PYTHON);
/** An interpreter that has OpenAI's client. */
export const openAiPython = () => pythonWith("clients-openai-python", OPENAI.python);

async function pythonWith(name: string, packages: readonly string[]): Promise<string | undefined> {
  const home = await cachedFolder(name, packages, async (folder) => {
    const steps: [string, string[]][] = [
      ["python3", ["-m", "venv", folder]],
      [
        join(folder, "bin/python"),
        ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", ...packages],
      ],
    ];
    for (const [command, args] of steps) {
      const failure = await attempt(command, args, folder);
      if (failure !== undefined) return failure;
    }
    return undefined;
  });
  return home && join(home, "bin/python");
}

/** A folder whose node_modules has the clients that Node runs; undefined, and a line about it, where they can't be had. */
export const nodeClients = () => nodeWith("clients-node", NODE);
/** A folder whose node_modules has OpenAI's client. */
export const openAiNode = () => nodeWith("clients-openai-node", OPENAI.node);

const nodeWith = (name: string, packages: readonly string[]): Promise<string | undefined> =>
  cachedFolder(name, packages, async (folder) => {
    await writeFile(join(folder, "package.json"), '{"private":true}');
    return attempt("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...packages], folder);
  });
