import type { FastifyInstance } from "fastify";
import { badRequest, Problem } from "../problem";

/** As deep as a value may be nested: what follows values down, as JSON's own writer does, must not run out of stack. */
const DEEPEST = 1000;

/**
 * Bodies are JSON and say so: a type that pages may send to any address without being asked about it is refused. None
 * at all is fine, whatever its type.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, ({ headers }, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
      return done(new Problem(415, "the body must be sent as application/json"));
    const text = body.toString();
    try {
      const value: unknown = JSON.parse(text);
      return text.length > DEEPEST && isTooDeep(value)
        ? done(badRequest("the body is nested too deeply"))
        : done(null, value);
    } catch {
      return done(badRequest());
    }
  });
}

/** Whether a value that was read from JSON has too many arrays and objects inside each other. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached >= DEEPEST) return true;
    const next: object[] = [];
    for (const container of level)
      for (const inner of Object.values(container)) if (isContainer(inner)) next.push(inner);
    level = next;
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
