import { isDeepStrictEqual } from "node:util";
import { type Bench, container, creates, createsTwice, type Trials, takesAtMost, workersTemplate } from "../bench";
import { expectStatus, expectTrue, field, listIn, needStatus, Untried } from "../verdict";

/** Trials about templates, and about containers. The latter use templates too, because templates run nothing. */
export const containerTrials = {
  "template-names-unique": createsTwice("template", workersTemplate, 400),
  "names-191": takesAtMost(191, (length, bench) => ({ name: bench.name().padEnd(length, "x") })),
  "env-replaced": async (bench) => {
    const { id } = await bench.makeTemplate({ env: { KEPT: "1", LEFT_OUT: "2" } });
    expectStatus(await bench.patch("template", id, { env: { KEPT: "3" } }), 200);
    const env = field(await bench.read("template", id), "env");
    expectTrue(field(env, "LEFT_OUT") === undefined, "a variable that the PATCH leaves out is still there");
  },
  "undeclared-stays-empty": async (bench) => {
    const { id } = await bench.make("template", container);
    const template = await bench.read("template", id);
    const [ports, args] = [field(template, "ports"), field(template, "args")];
    expectTrue(listIn(template, "ports").length === 0, `it shows the ports ${JSON.stringify(ports)}`);
    expectTrue((args ?? "") === "", "it shows an `args` of its own");
  },
  "symmetric-ports": creates("template", { ...container, ports: ["70001/tcp"] }, 200, 201),
  "fifty-variables": takesAtMost(50, (count) => ({
    env: Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, "1"])),
  })),
  "ten-http-ports": takesAtMost(10, (count) => ({
    ports: Array.from({ length: count }, (_, index) => `${8000 + index}/http`),
  })),
  "entrypoint-and-cmd": async (bench) => {
    const command = { entrypoint: ["/bin/sh"], cmd: ["-c", "true"] };
    const created = expectStatus(await bench.create("template", { ...container, ...command }), 200, 201);
    const live = { entrypoint: field(created.body, "entrypoint"), cmd: field(created.body, "cmd") };
    expectTrue(isDeepStrictEqual(live, command), `${created.call} doesn't show them`);
  },
  "args-contradict-400": creates("template", { ...container, args: "echo one", cmd: ["echo", "two"] }, 400),
} satisfies Trials;

const SMALLEST_GB = 10;
/** An upper bound: ten times the present price of the most expensive tier. */
const USD_PER_GB_HOUR = 0.002;

/** The most that each costs, in USD, if everything that it makes exists for an hour. All other trials cost nothing. */
export const volumeUsd = {
  "volume-names-repeat": 2 * SMALLEST_GB * USD_PER_GB_HOUR,
  "volume-grows-only": (SMALLEST_GB + 1) * USD_PER_GB_HOUR,
};

/** Trials with the smallest possible volumes, for a moment. */
export const volumeTrials = {
  "volume-names-repeat": async (bench) => {
    const { name, dataCenter } = await volume(bench);
    expectStatus(await bench.create("volume", { name, dataCenter, size: SMALLEST_GB }), 200, 201);
  },
  "volume-grows-only": async (bench) => {
    const { id } = await volume(bench, SMALLEST_GB + 1);
    expectStatus(await bench.patch("volume", id, { size: SMALLEST_GB }), 400, 422);
  },
} satisfies Trials;

async function volume(bench: Bench, size = SMALLEST_GB) {
  const centers = needStatus(await bench.ask("GET /v2/catalog/datacenters"), 200);
  const center = listIn(centers.body, "dataCenters").find((each) => listIn(each, "networkVolumeTypes").length > 0);
  const dataCenter = field(center, "id");
  if (typeof dataCenter !== "string") throw new Untried("no capacity: no data center offers network volumes");
  const name = bench.name();
  return { name, dataCenter, id: (await bench.make("volume", { name, dataCenter, size })).id };
}
