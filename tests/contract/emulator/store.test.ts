import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Store } from "../../../emulator/store";
import { Collection } from "../../../emulator/store/collection";
import { folderForEach } from "../../harness/folder";

interface Fruit {
  readonly id: string;
  readonly colors: readonly string[];
}

const COLORS = ["red", "green", "yellow"];
const change = fc.record({
  id: fc.constantFrom("a", "b", "c", "d"),
  colors: fc.option(fc.subarray(COLORS), { nil: undefined }),
});

it("a collection finds by every index what a look through all records would find", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const fruits = new Collection("fruits", { color: (fruit: Fruit) => fruit.colors }, () => undefined);
      for (const { id, colors } of changes) {
        if (colors === undefined) fruits.delete(id);
        else fruits.put({ id, colors });
        for (const color of COLORS) {
          const expected = [...fruits.values()].filter((fruit) => fruit.colors.includes(color));
          expect(new Set(fruits.by("color", color))).toEqual(new Set(expected));
        }
      }
    }),
  );
});

describe("a store with a file", () => {
  const folder = folderForEach();

  it("reads back what it had, whatever was put and deleted, over any number of restarts", () => {
    let run = 0;
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 15 }), { maxLength: 4 }), (lives) => {
        run += 1;
        const file = folder.at(`data-${run}.jsonl`);
        let before: unknown[] = [];
        for (const changes of [...lives, []]) {
          const store = new Store();
          store.openFile(file);
          expect([...store.registries.values()]).toEqual(before);
          for (const { id, colors } of changes) {
            if (colors === undefined) store.registries.delete(id);
            else store.registries.put({ id, name: colors.join(), username: "me", password: "secret" });
          }
          before = [...store.registries.values()];
          store.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
