import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../run/checkout";
import { makeArtifacts } from "./artifacts";
import { checksums } from "./plugin";

// `npm run artifacts`: what a release holds besides the package, in build/release, beside what is there already.

async function main(): Promise<void> {
  const folder = join(checkout, "build", "release");
  await makeArtifacts(folder);
  await writeFile(join(folder, "checksums.txt"), await checksums(folder));
}

void main();
