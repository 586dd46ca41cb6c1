/* Prints what GitHub's own parser has against a workflow. It is an ECMAScript module, which jest could not import. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

// It imports its schema without saying that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
const [, , name] = process.argv;
const { context } = parseWorkflow({ name, content: readFileSync(name, "utf8") }, new NoOperationTraceWriter());
console.log(JSON.stringify(context.errors.getErrors().map(({ message }) => message)));
