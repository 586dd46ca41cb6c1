/* What a change does to the data on a volume. */
import { expect, test } from "@jest/globals";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { contextOf, NOWHERE, withMessages } from "../harness/context";

const VOLUME = { name: "models", size: 100, dataCenter: "EU-RO-1", type: "STANDARD" };

const context = contextOf(NOWHERE);

/** What a preview of a change says. */
async function planned(change: object) {
  const { context: telling, said: warnings } = withMessages(context);
  const volumes = new Lifecycle(networkVolume, async () => telling);
  const { changes, replaces } = await volumes.diff("v", VOLUME, { ...VOLUME, ...change });
  return { changes, replaces, warnings };
}

test("an argument that is misspelt is refused, with its right name", async () => {
  const volumes = new Lifecycle(networkVolume, async () => context);
  const { failures } = await volumes.check({}, { ...VOLUME, dataCentre: "EU-RO-1" });
  expect(failures).toEqual([{ property: "dataCentre", reason: expect.stringContaining("dataCenter") }]);
});

test.each([{ name: "other" }, { size: 200 }])("a volume stays, with what is on it, for %j", async (change) =>
  expect(await planned(change)).toEqual({ changes: true, replaces: [], warnings: [] }),
);

// finds mutant volume-shrinks
test("a volume that would get smaller is refused in the preview", () =>
  expect(planned({ size: 50 })).rejects.toThrow(
    'NetworkVolume "v": size 100 -> 50: it can\'t shrink. The service only grows it, and a replacement would lose its data.',
  ));

// finds mutant data-lost-without-a-word
test.each([
  ["dataCenter", { dataCenter: "US-KS-2" }],
  ["type", { type: "HIGH_PERFORMANCE" }],
  ["dataCenter", { dataCenter: "US-KS-2", size: 50 }],
])(
  "a volume of another %s is another one; the preview says what is lost, and the way out: %j",
  async (property, change) => {
    const { replaces, warnings } = await planned(change);
    expect(replaces).toEqual([property]);
    expect(warnings).toEqual([
      expect.stringContaining(
        `NetworkVolume "v": ${property} can only change by a replacement, which deletes its data. To keep that, set`,
      ),
    ]);
  },
);
