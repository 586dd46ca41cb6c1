import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { type Account, openAccount } from "../../harness/account";

const HALF_BOOT_MS = 30_000;
const POD = { name: "pod", image: "repo/pod:1", gpu: { id: "NVIDIA GeForce RTX 4090" }, ports: ["22/tcp"] };

const ALLOWED: Record<string, readonly string[]> = {
  PROVISIONING: ["stop", "terminate"],
  STARTING: ["stop", "terminate"],
  RUNNING: ["stop", "restart", "terminate"],
  EXITED: ["start", "terminate"],
  GONE: [],
};
const AFTER_ACTION: Record<string, string> = {
  start: "PROVISIONING",
  stop: "EXITED",
  restart: "STARTING",
  terminate: "GONE",
};
const AFTER_HALF_BOOT: Record<string, string> = { PROVISIONING: "STARTING", STARTING: "RUNNING" };

/** What the service is expected to do, kept beside what it does. */
interface Model {
  status: string;
  locked: boolean;
}
interface Real {
  readonly cloud: Account;
  readonly id: string;
}

class Act implements fc.AsyncCommand<Model, Real> {
  constructor(readonly action: string) {}
  check = () => true;
  async run(model: Model, { cloud, id }: Real): Promise<void> {
    const { status, body } = await cloud.rest("POST", `/v2/pods/${id}/action`, { action: this.action });
    const allowed = ALLOWED[model.status]?.includes(this.action);
    const blocked = model.locked && (this.action === "stop" || this.action === "restart");
    if (model.status === "GONE") expect(status).toBe(404);
    else if (!allowed || blocked) expect(status).toBe(409);
    else {
      expect(status).toBe(this.action === "terminate" ? 204 : 200);
      model.status = AFTER_ACTION[this.action] ?? "";
      if (model.status !== "GONE") expect(body.status).toBe(model.status);
    }
  }
  toString = () => this.action;
}

class HalfBoot implements fc.AsyncCommand<Model, Real> {
  check = () => true;
  async run(model: Model, { cloud }: Real): Promise<void> {
    await cloud.advance(HALF_BOOT_MS);
    model.status = AFTER_HALF_BOOT[model.status] ?? model.status;
  }
  toString = () => "half a boot";
}

class Lock implements fc.AsyncCommand<Model, Real> {
  constructor(readonly locked: boolean) {}
  check = () => true;
  async run(model: Model, { cloud, id }: Real): Promise<void> {
    const { status } = await cloud.rest("PATCH", `/v2/pods/${id}`, { locked: this.locked });
    expect(status).toBe(model.status === "GONE" ? 404 : 200);
    model.locked = this.locked;
  }
  toString = () => (this.locked ? "lock" : "unlock");
}

class Look implements fc.AsyncCommand<Model, Real> {
  check = () => true;
  async run({ status, locked }: Model, { cloud, id }: Real): Promise<void> {
    const read = await cloud.rest("GET", `/v2/pods/${id}`);
    const listed = (await cloud.rest("GET", "/v2/pods")).body.pods;
    if (status === "GONE") {
      expect(read.status).toBe(404);
      expect(listed).toEqual([]);
      return;
    }
    expect(listed).toEqual([read.body]);
    expect(read.body).toMatchObject({ id, status, locked, actions: ALLOWED[status] });
    expect(read.body.runtime === null).toBe(status !== "RUNNING");
    expect(read.body.ssh.direct === null).toBe(status !== "RUNNING");
    expect(read.body.cost === 0).toBe(status === "EXITED");
  }
  toString = () => "look";
}

it("a pod follows its state table whatever is asked of it, in whatever order", async () => {
  const commands = fc.commands(
    [
      fc.constantFrom("start", "stop", "restart").map((action) => new Act(action)),
      fc.constantFrom(...Object.keys(AFTER_ACTION)).map((action) => new Act(action)),
      fc.constant(new HalfBoot()),
      fc.boolean().map((locked) => new Lock(locked)),
      fc.constant(new Look()),
    ],
    { maxCommands: 25 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      await using cloud = await openAccount({ settings: { podBootMs: 2 * HALF_BOOT_MS } });
      const { id } = await cloud.create("/v2/pods", POD);
      await fc.asyncModelRun(() => ({ model: { status: "PROVISIONING", locked: false }, real: { cloud, id } }), run);
    }),
    { numRuns: 25 },
  );
});
