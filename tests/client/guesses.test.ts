import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Handler } from "../emulator";
import { Place } from "../harness/place";
import { pod } from "../harness/requests";
import { type Given, guesses, outcomes } from "./guesses";

const echo: Handler = async (input) => input;

let place: Place;
let given: Given;
beforeAll(async () => {
  place = await Place.start({ handlers: { "emulator/echo:1": echo } });
  const queue = await place.queue("echo");
  const client = place.client();
  const { id: podId } = await client.pods.create(pod("one"));
  given = { client, queue, podId };
});
afterAll(() => place.close());

test.each(Object.keys(guesses) as (keyof typeof guesses)[])("%s", async (name) => {
  expect(await guesses[name](given)).toEqual(outcomes[name]);
});
