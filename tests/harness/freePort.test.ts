import { expect, test } from "@jest/globals";
import { freePort } from "../../tools/run/freePort";
import { serve } from "./serve";

test("a free port is none that the system gives to somebody else before it is used", async () => {
  const free = await Promise.all(Array.from({ length: 50 }, freePort));
  const given = await Promise.all(Array.from({ length: 50 }, () => serve(() => {})));
  expect(Math.max(...free)).toBeLessThan(Math.min(...given.map(({ address }) => Number(new URL(address).port))));
  await Promise.all(given.map((each) => each[Symbol.asyncDispose]()));
});
