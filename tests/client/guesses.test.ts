import { beforeAll, expect, test } from "@jest/globals";
import type { Handler } from "../../emulator";
import { placeForAll } from "../harness/place";
import { pod } from "../harness/requests";
import { type Fixture, guesses, outcomes } from "./guesses";

const echo: Handler = async (input) => input;

const place = placeForAll({ handlers: { "emulator/echo:1": echo } });
let fixture: Fixture;
beforeAll(async () => {
  const queue = await place.queue("echo");
  const client = place.client();
  const { id: podId } = await client.pods.create(pod("one"));
  fixture = { client, queue, podId };
});

test.each(Object.keys(guesses) as (keyof typeof guesses)[])("%s", async (name) => {
  expect(await guesses[name](fixture)).toEqual(outcomes[name]);
});
