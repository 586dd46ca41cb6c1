import { expect, test } from "@jest/globals";
import { deleteEndpoint } from "../../provider/resources/deleteEndpoint";
import { startEmulator } from "../emulator";
import { contextOf } from "../harness/context";
import { Control } from "../harness/control";

const HOUR = 3_600_000;

test.each(["graphql", "rest"] as const)(
  "over %s an endpoint that stays busy is not deleted: the error says which, why, and the way out",
  async (endpointsThrough) => {
    const emulator = await startEmulator();
    try {
      const service = new Control(emulator);
      const { id: templateId } = (await service.rest("POST", "/v2/templates", {
        name: "busy",
        image: "example.com/busy:1",
        serverless: true,
        env: { EMULATOR_HANDLER: "delay", EMULATOR_DELAY_MS: String(HOUR) },
      })) as { id: string };
      const { data } = (await service.graphql(
        "mutation($input: EndpointInput!) { saveEndpoint(input: $input) { id name } }",
        { input: { name: "chat", gpuIds: "ADA_24", templateId, workersMax: 1 } },
      )) as { data: { saveEndpoint: { id: string } } };
      const { id } = data.saveEndpoint;
      const context = contextOf(emulator, { endpointsThrough });
      const queue = context.client.queue(id);
      const [job] = [await queue.run({ input: { prompt: "hi" } }), await queue.run({ input: { prompt: "hi" } })];
      await service.advance(60_000);
      expect(await queue.status(job.id)).toMatchObject({ status: "IN_PROGRESS" });

      const error = await deleteEndpoint(context, id, { flashBootType: "OFF", templateId: undefined }, 0).catch(
        (error: unknown) => error,
      );
      expect(error).toBeInstanceOf(Error);
      const { message } = error as Error;
      expect(message).toContain(
        `ServerlessEndpoint chat (${id}) is scaled to 0, but 1 of its workers have not stopped`,
      );
      expect(message).toContain("1 in progress, 1 queued. Cancel those jobs");
      expect(message).toContain(`computecloud purge ${id}`);
      expect((await service.state()).endpoints).toEqual([
        expect.objectContaining({ id, workers: expect.objectContaining({ min: 0, max: 0 }) }),
      ]);

      await queue.purgeQueue();
      await queue.cancel(job.id);
      await deleteEndpoint(context, id, { flashBootType: "OFF", templateId: undefined });
      expect((await service.state()).endpoints).toEqual([]);
    } finally {
      await emulator.stop();
    }
  },
);
