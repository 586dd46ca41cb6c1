import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { sources } from "./sources";

/** A house: its rooms from the top floor down. `.` stands for the files beside the rooms. */
interface House {
  readonly folder: string;
  readonly floors: readonly (readonly string[])[];
}

const PACKAGE: House = { folder: ".", floors: [["cli", "sdk"], ["provider"], ["client", "emulator"], ["common"]] };
const PROVIDER: House = {
  folder: "provider",
  floors: [["."], ["engine"], ["functions", "resources"], ["smoke"], ["cost"], ["catalog"], ["lifecycle"], ["memory"]],
};
const LIFECYCLE: House = {
  folder: "provider/lifecycle",
  floors: [["make"], ["plan"], ["check"], ["state"], ["fields"]],
};

const IMPORT = /(?:\bfrom |\bimport |\bimport\(|\brequire\()"(\.[^"]*)"/g;

/** Every import of the files in a folder: who, and what, as paths from the checkout. Types count. */
const importsIn = (folder: string): { file: string; target: string }[] =>
  sources(`${folder}/**/*.{ts,tsx}`).flatMap(([file, text]) =>
    Array.from(text.matchAll(IMPORT), ([, specifier = ""]) => ({ file, target: join(dirname(file), specifier) })),
  );

/** Who imports whom between the rooms of a house, with the first import that says so. */
function arrowsOf({ folder, floors }: House): Map<string, Map<string, string>> {
  const rooms = floors.flat();
  const arrows = new Map<string, Map<string, string>>(rooms.map((room) => [room, new Map()]));
  const roomOf = (path: string) => {
    const [room = "", ...rest] = relative(folder, path).split("/");
    return room === ".." ? undefined : rooms.includes(room) ? room : rest.length === 0 ? "." : undefined;
  };
  for (const { file, target } of rooms.flatMap((room) => importsIn(join(folder, room)))) {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from !== undefined && to !== undefined && from !== to && rooms.includes(to))
      arrows.get(from)?.set(to, `${file} imports ${target}`);
  }
  return arrows;
}

const floorOf = ({ floors }: House, room: string) => floors.findIndex((rooms) => rooms.includes(room));

describe.each([PACKAGE, PROVIDER, LIFECYCLE])("in $folder", (house) => {
  test("every import between rooms leads to a lower floor", () => {
    const upwards = [...arrowsOf(house)].flatMap(([room, targets]) =>
      [...targets].filter(([target]) => floorOf(house, target) <= floorOf(house, room)).map(([, example]) => example),
    );
    expect(upwards).toEqual([]);
  });
});

test.each([
  { house: PACKAGE, heading: "sdk", width: 9 },
  { house: PROVIDER, heading: "index.ts", width: 9 },
])("the design's picture of $house.folder is drawn from the imports", ({ house, heading, width }) => {
  const arrows = arrowsOf(house);
  const rows = house.floors.flat().map((room) => {
    const targets = [...(arrows.get(room)?.keys() ?? [])].toSorted(
      (a, b) => floorOf(house, a) - floorOf(house, b) || a.localeCompare(b),
    );
    const name = room === "." ? "index.ts" : room;
    return `${name.padEnd(width)} ${targets.length > 0 ? `→ ${targets.join(", ")}` : ""}`.trimEnd();
  });
  const design = readFileSync(join(checkout, "docs", "design.md"), "utf8");
  const pictures = Array.from(design.matchAll(/```text\n([\s\S]*?)\n```/g), ([, text = ""]) => text.split("\n"));
  expect(pictures).toContainEqual(rows);
  expect(rows.some((row) => row.startsWith(heading))).toBe(true);
});

test("whoever is outside a product enters it by its door", () => {
  const doors: Readonly<Record<string, readonly string[]>> = {
    client: ["client", "client/queue"],
    emulator: ["emulator", "emulator/commandLine"],
    "provider/resources/fleet": ["provider/resources/fleet"],
  };
  const past = ["cli", "provider", "sdk"]
    .flatMap(importsIn)
    .filter(({ file, target }) =>
      Object.entries(doors).some(
        ([room, entries]) => target.startsWith(room) && !file.startsWith(`${room}/`) && !entries.includes(target),
      ),
    );
  expect(past).toEqual([]);
});

test("the tools enter the client by its door", () => {
  expect(importsIn("tools").filter(({ target }) => target.startsWith("client/"))).toEqual([]);
});

test("the migration from version 1 imports its own files alone, so that it can leave with them", () => {
  const outside = importsIn("cli/migrate/v1").filter(({ target }) => !target.startsWith("cli/migrate/v1"));
  expect(outside).toEqual([]);
  const packages = sources("cli/migrate/v1/*").flatMap(([, text]) => text.match(/(?<=from ")[^."][^"]*(?=")/g) ?? []);
  expect(packages).toEqual([]);
});

test("GraphQL's words stand in client/graphql, so that the folder can leave with them", () => {
  /** What goes, or changes in a few lines, with the folder. */
  const knows = {
    client: [
      "client",
      "errors",
      "index",
      "options",
      "settings",
      "queue/createQueue",
      "calls/transport",
      "rest/endpoints",
    ],
    "client/outcomes": ["create", "failures"],
    "provider/engine": ["connect", "graphqlEnd"],
    "provider/resources/serverless": ["needsGraphql", "serverlessEndpoint"],
    common: ["presets"],
    "cli/doctor": ["command"],
  };
  const expected = Object.entries(knows).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}.ts`));
  const codes = sources("{cli,client,common,provider,sdk}/**/*.ts")
    // Trials of the service ask it without the client, and bodies of version 1 have the same names.
    .filter(([file]) => !/^(client\/graphql|cli\/verify|cli\/migrate\/v1|sdk\/generated)\//.test(file))
    .map(([file, text]) => [file, text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "")] as const);
  const naming = codes.filter(([, code]) => /graphql/i.test(code.replace(/"[^"\n]*"|`[^`]*`/g, "")));
  expect(naming.map(([file]) => file)).toEqual(expected.toSorted());
  const described = /operation: "GraphQL saveEndpoint"/g;
  const inputs = /\b(saveEndpoint|modelReferences|OBJECT_STORE_VOLUME|myself)\b/;
  // ServerlessEndpoint has them, too: as arguments.
  const fields = /\b(gpuIds|scaler(Type|Value)|workersM(in|ax)|flashBootType)\b/;
  const speaking = codes.filter(([file, code]) => {
    const text = code.replace(described, "");
    return inputs.test(text) || (file.startsWith("client/") && fields.test(text));
  });
  expect(speaking).toEqual([]);
});

test("the lifecycle knows no hardware and no numbers that change by themselves", () => {
  const texts = sources(`${LIFECYCLE.folder}/**/*.ts`).map(([, text]) => text);
  const words = texts.flatMap((text) => text.match(/^.*(gpu|worker|schedul|awake|fleet).*$/gim) ?? []);
  expect(words).toEqual([]);
});

test("the emulator's model knows neither of the interfaces that show it", () => {
  const forbidden = importsIn("emulator/model").filter(({ target }) => /^emulator\/(rest|graphql)\b/.test(target));
  expect(forbidden.map(({ file, target }) => `${basename(file)} imports ${target}`)).toEqual([]);
});

test("the decisions say of every mark in arguments and states who writes and who reads it", () => {
  const design = readFileSync(join(checkout, "docs/decisions.md"), "utf8");
  const rooms = new Map<string, Set<string>>();
  for (const [file, text] of sources("{provider,sdk,cli}/**/*.ts")) {
    const [room = ""] = /^(sdk|\w+\/[^/]+)/.exec(file) ?? [];
    if (room === "cli/migrate") continue;
    for (const mark of text.match(/\b__(?!dirname|esModule|pulumi|metadata|proto)[a-z]\w+/g) ?? [])
      rooms.set(mark, (rooms.get(mark) ?? new Set()).add(room));
  }
  const rows = Array.from(design.matchAll(/^\| (`__.*?) \| (.*?) \| (.*?) \|/gm), ([, names = "", ...places]) => ({
    marks: names.match(/__\w+/g) ?? [],
    rooms: new Set(places.join().match(/(?<=`)[a-z/]+(?=`)/g)),
  }));
  expect(new Map(rows.flatMap(({ marks, rooms }) => marks.map((mark) => [mark, rooms])))).toEqual(rooms);
});
