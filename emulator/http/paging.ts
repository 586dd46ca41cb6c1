import { z } from "zod";
import { invalid } from "../problem";
import { wholeNumber } from "./query";

const MOST = 1000;

/** The parameters of a list that comes in pages. */
export const pagingUpTo = (most: number) => ({
  limit: wholeNumber(z.int().min(1).max(most)).default(most),
  cursor: z.string().min(1).optional(),
});
export const paging = pagingUpTo(MOST);

export const pagination = z.object({ nextCursor: z.string().nullable(), hasNextPage: z.boolean() });

/**
 * One page of a list. A cursor contains the last id of the page before. It is valid only for the same list with the same
 * parameters.
 *
 * @param list the operation, and the parameters that determine what is listed
 */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  list: string,
) {
  const after = cursor === undefined ? undefined : lastIn(cursor, list);
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw badCursor();
  const page = items.slice(start, start + limit);
  const hasNextPage = start + limit < items.length;
  const last = page.at(-1)?.id;
  const nextCursor = hasNextPage ? Buffer.from(JSON.stringify([list, last])).toString("base64url") : null;
  return { page, pagination: { nextCursor, hasNextPage } };
}

function lastIn(cursor: string, list: string): string {
  try {
    const [of, last]: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (of === list && typeof last === "string") return last;
  } catch {
    // A malformed cursor is refused like one of another list.
  }
  throw badCursor();
}

const badCursor = () => invalid(["query.cursor: the cursor does not belong to this list"]);
