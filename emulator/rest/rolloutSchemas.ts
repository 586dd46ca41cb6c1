import { z } from "zod";
import { named } from "../http/openapi";
import { pagination } from "../http/paging";

const tally = z.int().min(0);
const version = z.int().nullable();

export const listWorkersResponse = named(
  "ListEndpointWorkersResponse",
  z.object({
    workers: z.array(
      named(
        "Worker",
        z.object({
          id: z.string(),
          status: named("WorkerStatus", z.enum(["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"])),
          isStale: z.boolean(),
          version,
          gpuCount: tally,
          image: z.string().nullable(),
          uptimeSeconds: tally.nullable(),
          gpuTypeId: z.string().nullable(),
          dataCenterId: z.string().nullable(),
          startedAt: z.iso.datetime().nullable(),
        }),
      ),
    ),
    summary: named(
      "WorkerSummary",
      z.object({
        running: tally,
        idle: tally,
        initializing: tally,
        throttled: tally,
        unhealthy: tally,
        total: tally,
      }),
    ),
    endpointVersion: version,
  }),
);

export const listReleasesResponse = named(
  "ListEndpointReleasesResponse",
  z.object({
    endpointVersion: version,
    rollout: named(
      "RolloutSummary",
      z.object({
        inProgress: z.boolean(),
        workersOnLatest: tally,
        workersTotal: tally,
        percentOnLatest: z.int().min(0).max(100),
      }),
    ),
    releases: z.array(
      named(
        "Release",
        z.object({
          id: z.string(),
          version,
          source: named("ReleaseSource", z.enum(["GIT_BUILD", "MANUAL"])),
          buildId: z.string().nullable(),
          createdByUserId: z.string().nullable(),
          workerCount: tally,
          createdAt: z.iso.datetime(),
          diff: z.array(named("ReleaseDiffEntry", z.object({ field: z.string(), old: z.unknown(), new: z.unknown() }))),
        }),
      ),
    ),
    pagination,
  }),
);
