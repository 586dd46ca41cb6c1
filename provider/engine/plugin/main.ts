import "../compileCache";
import { join } from "node:path";
import { nodeProblem } from "../../../common/requireNode";
import { EXPECTED_VERSION } from "../../../common/startScript";

const { version } = require("pulumi-computecloud/package.json") as { version: string };
const [argument] = process.argv.slice(2);
const expected = process.env[EXPECTED_VERSION] ?? version;
const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else if (argument === "--version") {
  process.stdout.write(`${version}\n`);
} else if (argument === "--help") {
  process.stdout.write(
    "The Pulumi engine starts this program, for the functions and resources of pulumi-computecloud.\n",
  );
} else if (expected !== version) {
  process.stderr.write(
    `The engine asks for pulumi-computecloud ${expected}, and ${join(__dirname, "../../../..")} is version ${version} now. In the ` +
      `project that uses ${expected}, run the program again, or: npx pulumi-computecloud plugin install\n`,
  );
  process.exitCode = 1;
} else {
  void (require("./serve") as typeof import("./serve")).serve();
}
