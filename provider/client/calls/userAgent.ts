// Resolved by name: the same from the sources and from dist, and never copied into the build.
const facts = require("pulumi-computecloud/package.json") as { name: string; version: string };

/** Named, because edges turn away the user agents of common libraries. */
export const userAgent = `${facts.name}/${facts.version} node/${process.versions.node}`;
