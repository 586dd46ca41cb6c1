// Copies the files that the compiler does not make next to its output: GraphQL's schema, the page, its style, and Preact's
// published modules.
const { copyFileSync, existsSync, mkdirSync } = require("node:fs");
const { basename, join } = require("node:path");

const page = join(__dirname, "console/page");
const dist = join(__dirname, "../dist/emulator");
const target = join(dist, "console/page");
const preact = join(__dirname, "../node_modules/preact");

const files = [
  ...["index.html", "style.css", "icon.svg"].map((name) => join(page, name)),
  ...["dist/preact.mjs", "hooks/dist/hooks.mjs", "jsx-runtime/dist/jsxRuntime.mjs"].map((name) => join(preact, name)),
];
if (!existsSync(preact)) throw new Error("the console's page needs preact, which is not installed: npm install");
mkdirSync(target, { recursive: true });
for (const file of files) copyFileSync(file, join(target, basename(file)));
copyFileSync(join(preact, "LICENSE"), join(target, "LICENSE.preact"));
copyFileSync(join(__dirname, "graphql/schema.graphql"), join(dist, "graphql/schema.graphql"));
