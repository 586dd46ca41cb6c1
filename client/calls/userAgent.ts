import { UsageError } from "../errors";
import type { AppInfo } from "../options";

// Resolved by the package's name, so that it works from the sources and from dist, and is not copied into the build.
const facts = require("pulumi-computecloud/package.json") as { name: string; version: string };

/** A name of its own, because some edges block the user agents of common libraries. */
export const userAgent = `${facts.name}/${facts.version} node/${process.versions.node}`;

/**
 * The user agent, with the program's own name appended.
 *
 * @throws UsageError for a name that a header can't carry
 */
export function userAgentOf(app: AppInfo | undefined): string {
  if (app === undefined) return userAgent;
  const { name, version, url } = app;
  const own = `${name}${version === undefined ? "" : `/${version}`}${url === undefined ? "" : ` (${url})`}`;
  if (name !== "" && /^[\x20-\x7e]+$/.test(own)) return `${userAgent} ${own}`;
  throw new UsageError("appInfo holds a character that no header can carry, or no name.");
}
