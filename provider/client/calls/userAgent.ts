import { UsageError } from "../errors";
import type { AppInfo } from "../options";

// Resolved by name: the same from the sources and from dist, and never copied into the build.
const facts = require("pulumi-computecloud/package.json") as { name: string; version: string };

/** Named, because edges turn away the user agents of common libraries. */
export const userAgent = `${facts.name}/${facts.version} node/${process.versions.node}`;

/**
 * The user agent of a program that names itself.
 *
 * @throws UsageError for a name that no header can carry
 */
export function userAgentOf(app: AppInfo | undefined): string {
  if (app === undefined) return userAgent;
  const { name, version, url } = app;
  const own = `${name}${version === undefined ? "" : `/${version}`}${url === undefined ? "" : ` (${url})`}`;
  if (name !== "" && /^[\x20-\x7e]+$/.test(own)) return `${userAgent} ${own}`;
  throw new UsageError("appInfo holds a character that no header can carry, or no name.");
}
