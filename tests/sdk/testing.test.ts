import { beforeAll, describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { JobFailedError } from "../../client";
import * as computecloud from "../../sdk";
import { mockQueue, mocks } from "../../sdk/testing";
import { collect } from "../harness/collect";

const value = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

describe("a program under mocks()", () => {
  beforeAll(() =>
    pulumi.runtime.setMocks(
      mocks({
        outputs: { Pod: { costPerHour: 0.4 }, other: { costPerHour: 2 } },
        functions: { getGpuType: { memory: 24 } },
        jobs: { run: ({ text }: { text: string }) => ({ text: text.toUpperCase() }) },
      }),
    ),
  );

  test("has all outputs of a resource, and those that the test gives by kind or name", async () => {
    const pod = (name: string) => new computecloud.Pod(name, { image: "a/b:1", gpu: { id: "NVIDIA L4" } });
    const one = pod("one");
    const outputs = await value(pulumi.all([one.id, one.image, one.createdAt, one.publicPorts]));
    expect(outputs).toEqual(["one-id", "a/b:1", "one-createdAt", []]);
    expect(await value(pulumi.all([one.costPerHour, pod("other").costPerHour]))).toEqual([0.4, 2]);
  });

  test("has the outputs of each member of a fleet", async () => {
    const fleet = new computecloud.ServerlessFleet("models", {
      endpoints: { chat: { templateId: "a", gpuIds: "ADA_24" } },
    });
    expect(await value(fleet.ids)).toEqual({ chat: "models-ids-chat" });
    expect(await value(fleet.endpoint("chat").id)).toBe("models-ids-chat");
  });

  test("has functions of the right shape, and the answers that the test gives", async () => {
    const gpu = await computecloud.getGpuType({ id: "NVIDIA L4" });
    expect(gpu).toMatchObject({ memory: 24, name: "getGpuType-name", secure: false });
    expect(Array.isArray((await computecloud.getPods()).pods)).toBe(true);
  });

  test("has jobs that run the test's worker", async () => {
    const job = { endpointId: "e", input: { text: "hi" } };
    expect(await value(computecloud.jobs.runSync(job))).toMatchObject({ status: "COMPLETED", output: { text: "HI" } });
    const { id } = await value(computecloud.jobs.run(job));
    const output = { text: "HI" };
    expect(await value(computecloud.jobs.wait({ endpointId: "e", jobId: id }))).toMatchObject({ id, output });
    expect(await value(computecloud.jobs.stream({ endpointId: "e", jobId: id }))).toMatchObject([{ output }]);
    expect(await value(computecloud.jobs.health({ endpointId: "e" }))).toMatchObject({ jobs: { completed: 2 } });
  });
});

describe("a mocked queue", () => {
  test("runs jobs, batches and streams by its handler", async () => {
    const queue = mockQueue({ run: async ({ n }: { n: number }) => [n, n * 2] });
    expect((await queue.runSync({ input: { n: 2 } })).output).toEqual([2, 4]);
    const { all } = await collect(queue.runMany([{ n: 1 }, { n: 3 }]));
    expect(all.map(({ index, job }) => [index, job?.output]).toSorted()).toEqual([
      [0, [1, 2]],
      [1, [3, 6]],
    ]);
    const { id } = await queue.run({ input: { n: 4 } });
    expect(await Array.fromAsync(queue.stream(id), ({ output }) => output)).toEqual([4, 8]);
    await queue.close();
  });

  test("fails a job with what the handler throws, and runs it again on retry", async () => {
    let times = 0;
    const queue = mockQueue({
      run: () => {
        if (times++ === 0) throw new Error("no memory");
        return "done";
      },
    });
    const { id } = await queue.run({ input: { n: 1 } });
    const failed = queue.wait(id);
    await expect(failed).rejects.toThrow("Job mock-job-1 ended as FAILED: no memory");
    await expect(failed).rejects.toBeInstanceOf(JobFailedError);
    await queue.retry(id);
    expect((await queue.wait(id)).output).toBe("done");
  });

  test("cancels a job whose handler does not end, and knows no other", async () => {
    const queue = mockQueue({ run: () => new Promise(() => {}) });
    const { id } = await queue.run({ input: { n: 1 } });
    expect(await queue.cancel(id)).toMatchObject({ status: "CANCELLED" });
    await expect(queue.status("another")).rejects.toThrow("job not found");
  });
});
