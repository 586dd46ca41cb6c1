import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Wire } from "../../cli/verify/wire";
import { systemClock } from "../../client";
import { startEmulator } from "../../emulator";
import { checkout } from "../run/checkout";
import { connectionTo } from "../run/connection";
import { type Played, play } from "./play";
import { RECORDING_FILE, Recording } from "./recording";

/** Recordings of the service that were given, a folder each. */
const GIVEN = join(checkout, "tests", "recorded", "service");
/** Beside a recording: differences that stand, with the reason. */
const KNOWN_FILE = "known.json";
const Known = z.record(z.string(), z.string());

export async function givenRecordings(): Promise<string[]> {
  const entries = await readdir(GIVEN, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(GIVEN, name));
}

export interface Conformance extends Played {
  /** Differences that are in the folder's list, but were not found: the list is out of date. */
  readonly gone: readonly string[];
}

/**
 * Plays a folder's recording against an emulator of its own. Differences that the folder knows are left out.
 *
 * @throws Error when the folder has no recording
 */
export async function conformanceOf(folder: string): Promise<Conformance> {
  const recording = Recording.parse(JSON.parse(await readFile(join(folder, RECORDING_FILE), "utf8")));
  const known = Object.keys(await knownIn(folder));
  const emulator = await startEmulator();
  const wire = new Wire(connectionTo(emulator), systemClock);
  try {
    const played = await play(recording, wire);
    return {
      ...played,
      differences: played.differences.filter((each) => !known.includes(each)),
      gone: known.filter((each) => !played.differences.includes(each)),
    };
  } finally {
    await wire.close();
    await emulator.stop();
  }
}

async function knownIn(folder: string): Promise<z.infer<typeof Known>> {
  const files = await readdir(folder);
  return files.includes(KNOWN_FILE) ? Known.parse(JSON.parse(await readFile(join(folder, KNOWN_FILE), "utf8"))) : {};
}
