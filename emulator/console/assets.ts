import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export const INDEX = "index.html";

/** The build's files for the browser: the page, its style, and its code with Preact as one script. */
const folder = join(dirname(require.resolve("pulumi-computecloud/package.json")), "dist/emulator/console/page");

/** All files of the page, by name. Only these can be requested, so no path has to be checked. */
export function readAssets(): ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }> {
  if (!existsSync(join(folder, INDEX))) return new Map();
  const names = readdirSync(folder).filter((name) => extname(name) in TYPES);
  return new Map(
    names.map((name) => [name, { type: TYPES[extname(name)] ?? "", bytes: readFileSync(join(folder, name)) }]),
  );
}

/**
 * Scripts and styles come only from here, so no text of a resource can become a script: inline scripts and `innerHTML` are
 * blocked.
 */
export const SECURITY_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};
