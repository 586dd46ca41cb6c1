import { expect, test } from "@jest/globals";
import { sameModels } from "../../provider/resources/serverless/endpointArguments";

const LLAMA = "https://huggingface.co/acme/llama";
const BERT = "https://huggingface.co/acme/bert";
const COMMIT = "0a1b2c3d".repeat(5);
const OTHER = "d3c2b1a0".repeat(5);

test.each([
  ["as they are", [`${LLAMA}:main`], [`${LLAMA}:main`]],
  ["with the commit that a branch named", [`${LLAMA}:main`], [`${LLAMA}:${COMMIT}`]],
  ["without a revision", [`${LLAMA}:main`], [LLAMA]],
  ["in another order", [`${LLAMA}:main`, `${BERT}:v2`], [`${BERT}:${COMMIT}`, `${LLAMA}:${OTHER}`]],
  [
    "in two commits, in another order",
    [`${LLAMA}:${OTHER}`, `${LLAMA}:${COMMIT}`],
    [`${LLAMA}:${COMMIT}`, `${LLAMA}:${OTHER}`],
  ],
  ["in lower case", ["https://huggingface.co/Acme/Llama:main"], [`${LLAMA}:${COMMIT}`]],
  ["where there are none", [], []],
])("the models that the service shows are the declared ones %s", (_, declared, live) =>
  expect(sameModels(live, declared)).toBe(true),
);

test.each([
  ["another model is there", [`${LLAMA}:main`], [`${BERT}:${COMMIT}`]],
  ["one more is there", [`${LLAMA}:main`], [`${LLAMA}:${COMMIT}`, `${BERT}:${COMMIT}`]],
  ["none is there", [`${LLAMA}:main`], []],
  ["another commit is there than the declared one", [`${LLAMA}:${COMMIT}`], [`${LLAMA}:${OTHER}`]],
  ["another branch is there", [`${LLAMA}:main`], [`${LLAMA}:dev`]],
])("the models that the service shows are not the declared ones where %s", (_, declared, live) =>
  expect(sameModels(live, declared)).toBe(false),
);
