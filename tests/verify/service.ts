import { afterAll, afterEach, beforeAll } from "@jest/globals";
import type { FactId } from "../../cli/verify/facts";
import { settingsSchema } from "../../emulator/settings";
import { addressVariables, inheritedEnv } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { MAIN } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { otherwise, settings } from "./otherwise";
import { type Rule, type ServiceProxy, startProxy } from "./proxy";

export const honest: Rule = (call, forward) => forward(call);

/** An emulator behind a proxy, which answers by a rule: that of the emulator, unless a test sets another one. */
export function serviceForAll() {
  const place = placeForAll({ settings: {} });
  const folder = folderForAll();
  const proxy = {} as ServiceProxy;
  const service = {
    place,
    folder,
    proxy,
    rule: honest,
    /** Does otherwise in one fact. */
    async differIn(id: FactId): Promise<void> {
      await place.service.settings(settings[id] ?? {});
      service.rule = otherwise[id]?.() ?? honest;
    },
    /** `pulumi-computecloud verify` of this service. */
    command: (args: readonly string[], signal?: AbortSignal) =>
      run(process.execPath, [MAIN, "verify", ...args], { env: service.env(), signal }),
    env: () => ({ ...inheritedEnv(), PULUMI_HOME: folder.path, ...addressVariables(proxy) }),
  };
  beforeAll(async () => Object.assign(proxy, await startProxy(place.emulator, () => service.rule)));
  afterEach(async () => {
    service.rule = honest;
    await place.service.settings(settingsSchema.parse({}));
    await place.reset();
  });
  afterAll(async () => proxy[Symbol.asyncDispose]());
  return service;
}
