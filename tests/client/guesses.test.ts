import { beforeAll, expect, test } from "@jest/globals";
import type { Handler } from "../../emulator";
import { placeForAll } from "../harness/forAll";
import { pod } from "../harness/requests";
import { type Given, guesses, outcomes } from "./guesses";

const echo: Handler = async (input) => input;

const place = placeForAll({ handlers: { "emulator/echo:1": echo } });
let given: Given;
beforeAll(async () => {
  const queue = await place.queue("echo");
  const client = place.client();
  const { id: podId } = await client.pods.create(pod("one"));
  given = { client, queue, podId };
});

test.each(Object.keys(guesses) as (keyof typeof guesses)[])("%s", async (name) => {
  expect(await guesses[name](given)).toEqual(outcomes[name]);
});
