/** Simulates an image that can't be pulled: a pod with this tag goes to ERROR instead of RUNNING. */
export const MISSING_IMAGE_TAG = ":does-not-exist";

/** `host/path:tag@digest`, as registries and container runtimes take it. */
const NAME =
  /^(?:[a-z\d][a-z\d.-]*(?::\d+)?\/)?[a-z\d]+(?:(?:\.|__?|-+)[a-z\d]+)*(?:\/[a-z\d]+(?:(?:\.|__?|-+)[a-z\d]+)*)*(?::\w[\w.-]{0,127})?(?:@\w+:[a-f\d]{32,})?$/;

export function isImageName(text: string): boolean {
  const [host = "", ...path] = text.split("/");
  // Only a host may have capitals.
  return NAME.test(path.length === 0 ? text : [host.toLowerCase(), ...path].join("/"));
}
