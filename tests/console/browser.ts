import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium or Chrome on PATH; none is downloaded. */
export const browserPath: string | undefined = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable);

export async function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(`none of ${NAMES.join(", ")} is on PATH`);
  return chromium.launch({ executablePath: browserPath });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
