import { expect, test } from "@jest/globals";
import { freePort } from "../../tools/run/freePort";
import { serve } from "./serve";

test("a free port is none that the system gives to somebody else before it is used", async () => {
  const free = await Promise.all(Array.from({ length: 50 }, freePort));
  const servers = await Promise.all(Array.from({ length: 50 }, () => serve(() => {})));
  expect(Math.max(...free)).toBeLessThan(Math.min(...servers.map(({ address }) => Number(new URL(address).port))));
  await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()));
});
