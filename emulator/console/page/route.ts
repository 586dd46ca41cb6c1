import { useEffect, useState } from "preact/hooks";
import { KIND_NAMES } from "./kinds.js";
import type { DetailKind, Kind } from "./protocol";

export type Route =
  | { readonly page: "overview" | (typeof OTHER_PAGES)[number] }
  | { readonly page: "kind"; readonly kind: Kind }
  | { readonly page: "detail"; readonly kind: DetailKind; readonly id: string };

export const OTHER_PAGES = ["requests", "costs", "controls"] as const;

/** An address within the console; ids may contain anything. */
export const linkTo = (kind: DetailKind, id?: string): string =>
  id === undefined ? `#/${kind}` : `#/${kind}/${encodeURIComponent(id)}`;

export function parseRoute(hash: string): Route {
  const [first = "", id] = hash.replace(/^#\//, "").split("/");
  const page = OTHER_PAGES.find((name) => name === first);
  if (page !== undefined) return { page };
  const kind = [...KIND_NAMES, "workers", "jobs"].find((name) => name === first) as DetailKind | undefined;
  if (kind === undefined) return { page: "overview" };
  if (id !== undefined && id !== "") return { page: "detail", kind, id: decode(id) };
  return kind === "workers" || kind === "jobs" ? { page: "overview" } : { page: "kind", kind };
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return parseRoute(hash);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
