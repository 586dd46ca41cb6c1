import type { FastifyInstance } from "fastify";
import { badRequest, Problem } from "../problem";

/** The deepest nesting of a value, so that recursive functions, such as JSON.stringify, do not overflow the stack. */
const DEEPEST = 1000;

/**
 * Bodies must be JSON with its content type. Web pages can send the simple content types to any address without a CORS
 * preflight, so these are refused. An empty body may have any type.
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

/** Bodies of every type stay in the raw request, unread. */
export function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
}

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
