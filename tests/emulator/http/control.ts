import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Problem } from "../problem";
import type { Service } from "../service";
import { mergeSettings, settingsSchema } from "../settings";
import { acceptAnyJson } from "./door";
import { faultSchema } from "./faults";
import { validate } from "./validation";

const clockMove = z.strictObject({ advanceMs: z.number().min(0).optional(), speed: z.number().positive().optional() });
const anyObject = z.looseObject({});
const seeds = z.record(z.string(), z.array(z.looseObject({ id: z.string().min(1) })));

/**
 * The control address: what tests see and set. It needs no key and is not logged.
 * @param resume takes up what is under way in a state that was just put in place.
 */
export function controlRoutes(app: FastifyInstance, service: Service, resume: () => void): void {
  acceptAnyJson(app);
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
    const unknown = collections.find(([name]) => !(name in service.store.collections));
    if (unknown !== undefined) throw new Problem(422, `there is no collection '${unknown[0]}'`);
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
    if (speed !== undefined) service.clock.setSpeed(speed);
    await service.clock.advance(advanceMs);
    service.store.clock.put({ id: "clock", aheadMs: service.clock.now() - Date.now() });
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
