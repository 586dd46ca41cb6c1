import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "./checkout";

/** The rooms of provider/, from the top floor down. `.` is the entry point that users' states name. */
const FLOORS = [
  ["cli", "schema", "."],
  ["engine"],
  ["functions", "resources"],
  ["smoke"],
  ["cost"],
  ["lifecycle"],
  ["client"],
  ["common"],
];
const provider = join(checkout, "provider");
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

/** Who imports whom, with the first import that says so. Types count. */
function arrows(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const path of readdirSync(provider, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts")) continue;
    const room = roomOf(path);
    const targets = found.get(room) ?? new Map<string, string>();
    found.set(room, targets);
    for (const [, specifier = ""] of readFileSync(join(provider, path), "utf8").matchAll(
      /(?:\bfrom |\bimport |\bimport\(|\brequire\()"(\.[^"]*)"/g,
    )) {
      const target = relative(provider, resolve(provider, dirname(path), specifier));
      // What schema/ prints has imports of its own, which lead nowhere from there.
      if (target.startsWith("..") || roomOf(target) === room || floorOf(roomOf(target)) < 0) continue;
      targets.set(roomOf(target), `${path} imports ${target}`);
    }
  }
  return found;
}

function roomOf(path: string): string {
  const [room = ".", ...rest] = path.split("/");
  return rest.length === 0 && floorOf(room) < 0 ? "." : room;
}

test("every room stands on a floor, and every import leads down", () => {
  const found = arrows();
  expect([...found.keys()].toSorted()).toEqual(FLOORS.flat().toSorted());
  const upwards = [...found].flatMap(([room, targets]) =>
    [...targets].filter(([target]) => floorOf(target) <= floorOf(room)).map(([, example]) => example),
  );
  expect(upwards).toEqual([]);
});

test("the picture in the design is drawn from the imports", () => {
  const found = arrows();
  const rows = FLOORS.flat().map((room) => {
    const uses = [...(found.get(room)?.keys() ?? [])].toSorted((a, b) => floorOf(a) - floorOf(b) || a.localeCompare(b));
    return `${(room === "." ? "index.ts" : room).padEnd(9)} ${uses.length > 0 ? `→ ${uses.join(", ")}` : ""}`.trimEnd();
  });
  const design = readFileSync(join(checkout, "docs", "design.md"), "utf8");
  expect(/```text\n(cli [\s\S]*?)\n```/.exec(design)?.[1]?.split("\n")).toEqual(rows);
});
