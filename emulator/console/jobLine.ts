import type { JobRecord } from "../store/records";
import type { JobLine } from "./page/protocol";

const PREVIEW_LENGTH = 300;

export const jobLine = ({
  id,
  status,
  input,
  output,
  error,
  createdAt,
  queuedAt,
  startedAt,
  finishedAt,
  coldStart = 0,
}: JobRecord): JobLine => ({
  id,
  status,
  input: preview(input),
  output: error ?? preview(output),
  createdAt,
  queuedAt,
  finishedAt: finishedAt ?? null,
  delay: startedAt === undefined ? null : startedAt - queuedAt,
  coldStart,
  execution: startedAt === undefined || finishedAt === undefined ? null : finishedAt - startedAt,
});

const preview = (value: unknown): string => (JSON.stringify(value) ?? "").slice(0, PREVIEW_LENGTH);
