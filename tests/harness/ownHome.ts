import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";

/*
 * Runs before each file of tests: Pulumi's home, in which the provider notes what it creates, is one of the file's own, because other
 * files run at the same time.
 */
const home = mkdtempSync(join(tmpdir(), "home-"));
process.env.PULUMI_HOME = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));
