import "../compileCache";
import { nodeProblem } from "../../../common/requireNode";

const [argument] = process.argv.slice(2);
const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else if (argument === "--version") {
  const { version } = require("pulumi-computecloud/package.json") as { version: string };
  process.stdout.write(`${version}\n`);
} else if (argument === "--help") {
  process.stdout.write(
    "The Pulumi engine starts this program, for the functions and resources of pulumi-computecloud.\n",
  );
} else {
  void (require("./serve") as typeof import("./serve")).serve();
}
