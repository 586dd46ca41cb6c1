import { join } from "node:path";
import { checkout } from "../run/checkout";
import { languages, writeSdk } from "./sdks";

// `npm run sdks`: the SDKs of all languages, made from schema.json.

async function main(): Promise<void> {
  for (const language of languages) {
    const folder = join(checkout, "build", "sdks", language);
    const failure = await writeSdk(language, folder);
    if (failure !== undefined) process.exitCode = 1;
    process.stderr.write(`${language}: ${failure ?? folder}\n`);
  }
}

void main();
