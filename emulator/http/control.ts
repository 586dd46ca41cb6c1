import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { LONGEST_MOVE_MS, MOST_AHEAD_MS, SPEEDS } from "../clock";
import { Problem } from "../problem";
import type { Service } from "../service";
import { mergeSettings, settingsSchema } from "../settings";
import { isPossible } from "../store";
import { readJsonBodies } from "./bodies";
import { faultSchema } from "./faults";
import { checkSender } from "./sender";
import { validate } from "./validation";

const clockMove = z.strictObject({
  advanceMs: z.number().min(0).max(LONGEST_MOVE_MS).optional(),
  speed: z.number().min(SPEEDS.slowest).max(SPEEDS.fastest).optional(),
});
const anyObject = z.looseObject({});
const seeds = z.record(z.string(), z.array(z.looseObject({ id: z.string().min(1) })));

/**
 * The control address, where tests read and set things. It needs no key and is not logged.
 *
 * @param resume resumes what is under way in a newly loaded state
 */
export function controlRoutes(app: FastifyInstance, service: Service, resume: () => void): void {
  readJsonBodies(app);
  app.addHook("onRequest", async (request) => checkSender(request));
  app.setErrorHandler((error, _request, reply) =>
    error instanceof Problem ? reply.code(error.status).send(error.toJSON()) : reply.send(error),
  );

  app.get("/requests", () => ({ requests: service.log.list() }));
  app.delete("/requests", (_request, reply) => {
    service.log.clear();
    return reply.code(204).send();
  });

  app.get("/state", () =>
    Object.fromEntries(
      Object.entries(service.store.collections).map(([name, records]) => [name, [...records.values()]]),
    ),
  );
  app.put("/state", (request, reply) => {
    const collections = Object.entries(validate(seeds, request.body));
    for (const [name, records] of collections) {
      if (!Object.hasOwn(service.store.collections, name)) throw new Problem(422, `there is no collection '${name}'`);
      const impossible = records.find((record) => !isPossible(name, record));
      if (impossible !== undefined) throw new Problem(422, `'${impossible.id}' in ${name} makes no sense`);
    }
    for (const [name, records] of collections) service.store.collections[name]?.replaceAll(records);
    resume();
    return reply.code(204).send();
  });

  app.get("/faults", () => ({ faults: service.faults.list() }));
  app.post("/faults", (request, reply) => {
    service.faults.add(validate(faultSchema, request.body));
    return reply.code(201).send({ faults: service.faults.list() });
  });
  app.delete("/faults", (_request, reply) => {
    service.faults.clear();
    return reply.code(204).send();
  });

  app.get("/clock", () => clockNow(service));
  app.post("/clock", async (request) => {
    const { advanceMs = 0, speed } = validate(clockMove, request.body);
    const aheadMs = () => service.clock.now() - Date.now();
    if (aheadMs() + advanceMs > MOST_AHEAD_MS)
      throw new Problem(422, "the clock can be moved at most a hundred years ahead of real time");
    if (speed !== undefined) service.clock.setSpeed(speed);
    await service.clock.advance(advanceMs);
    service.store.clock.put({ id: "clock", aheadMs: Math.min(aheadMs(), MOST_AHEAD_MS) });
    return clockNow(service);
  });

  app.get("/settings", () => service.settings);
  app.put("/settings", (request) => {
    const patch = validate(anyObject, request.body);
    service.settings = validate(settingsSchema, mergeSettings(service.settings, patch));
    return service.settings;
  });
}

const clockNow = ({ clock }: Service) => ({ now: clock.iso(), speed: clock.speed });
