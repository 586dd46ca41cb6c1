import { type Browser, chromium } from "playwright-core";
import { onPath } from "../harness/onPath";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium or Chrome on PATH; none is downloaded. */
export const browserPath: string | undefined = onPath(...NAMES);

export async function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(`none of ${NAMES.join(", ")} is on PATH`);
  return chromium.launch({ executablePath: browserPath });
}
