import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";

/*
 * To be imported before the provider, whose notes of creates are in Pulumi's home: a file that keeps some, or reads them all, does
 * so in a home of its own, because other files run at the same time.
 */
const home = mkdtempSync(join(tmpdir(), "home-"));
process.env.PULUMI_HOME = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));
