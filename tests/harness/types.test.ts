import { expect, test } from "@jest/globals";
import { CLEAN, compiled } from "./compiled";

// jest strips types without checking them.
test("the provider, the examples and all tests are free of type errors", async () => {
  expect(await compiled("tests")).toMatchObject(CLEAN);
});
