import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema } from "graphql";

export const schema = buildSchema(readFileSync(join(__dirname, "schema.graphql"), "utf8"));
