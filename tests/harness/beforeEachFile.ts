/* Runs before each file of tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { setMaxIdleHTTPParsers } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, jest } from "@jest/globals";

const { isLong } = require("./jest/long.cjs") as Group<"isLong">;
const { isQuick } = require("./jest/quick.cjs") as Group<"isQuick">;
type Group<Name extends string> = Readonly<Record<Name, (file: string) => boolean>>;

/* Pulumi's home, in which the provider notes what it creates, is one of the file's own, because other files run at the same time. */
const home = mkdtempSync(join(tmpdir(), "home-"));
process.env.PULUMI_HOME = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));

/*
 * Node keeps ended HTTP parsers for later connections, and each keeps the async context of its last one: a test, and with it all
 * modules of its file (nodejs/node#61882). So a worker would hold every file that it has run, a gigabyte at the end, and look
 * through it in each garbage collection.
 */
setMaxIdleHTTPParsers(1);

/* A test that hangs says its name after two minutes, or later where processes begin; under a mutant it is to say so soon. */
const MINUTE_MS = 60_000;
const { testPath = "" } = expect.getState();
const minutes = isLong(testPath) ? 20 : isQuick(testPath) ? 2 : 10;
jest.setTimeout(Number(process.env.TEST_MINUTES ?? minutes) * MINUTE_MS);
