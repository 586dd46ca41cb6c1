import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Place, until } from "../harness/place";

let place: Place;
let receiver: Server;
let address: string;
const received: unknown[] = [];
/** What the receiver answers, call by call; 200 when there is nothing more. */
const answers: number[] = [];

beforeAll(async () => {
  place = await Place.start();
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push(JSON.parse(Buffer.concat(parts).toString()));
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/done`;
});
afterAll(async () => {
  await place.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

test("a webhook is told how the job ended, again when it was not heard", async () => {
  answers.push(500);
  const queue = await place.queue("fixed", { EMULATOR_OUTPUT: '"done"' });
  const { id } = await queue.run({ input: { n: 1 }, webhook: address });
  await queue.wait(id);
  await until(async () => {
    await place.service.advance(10_000);
    return received.length >= 2;
  });
  const told = { id, status: "COMPLETED", output: "done", input: { n: 1 }, webhook: address };
  expect(received).toEqual([expect.objectContaining(told), expect.objectContaining(told)]);
});
