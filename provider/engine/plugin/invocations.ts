import type { Client } from "../../../client";
import { findFunction, functionNames, isAboutCatalog } from "../../functions";
import type { FunctionDefinition } from "../../functions/definition";
import type { CheckFailure } from "../../lifecycle/definition";
import { withoutNulls } from "../../lifecycle/fields/values";
import { Memo } from "./memo";

const TOKEN_PREFIX = "computecloud:index:";

/** The sdk's mark of a call that waits for resources. Answers from before those resources don't apply to it. */
const FRESH = "__fresh";

export type Answer =
  | { readonly values: object; readonly secret: boolean }
  | { readonly failures: readonly CheckFailure[] };

/** The engine asked for a function that does not exist. */
export class UnknownFunctionError extends Error {
  override readonly name = "UnknownFunctionError";
}

/** Calls functions. Equal calls of a run share an answer, as long as the plugin changes nothing in the account. */
export class Invocations {
  readonly #catalog = new Memo();
  #account = new Memo();

  /**
   * Forgets answers about the account, after a write. Writes of dynamic resources happen in another process and are not
   * noticed here. So programs in TypeScript mark the calls that wait for resources; those in other languages can't.
   */
  forgetAccount(): void {
    this.#account = new Memo();
  }

  /** @throws UnknownFunctionError */
  find(token: string): FunctionDefinition {
    const definition = token.startsWith(TOKEN_PREFIX) ? findFunction(token.slice(TOKEN_PREFIX.length)) : undefined;
    if (definition !== undefined) return definition;
    const { suggestion } = require("../../../common/suggestion") as typeof import("../../../common/suggestion");
    const name = token.split(":").at(-1) ?? "";
    throw new UnknownFunctionError(`there is no function ${token}${suggestion(name, functionNames)}`);
  }

  async answer(client: Client, token: string, received: object, signal: AbortSignal): Promise<Answer> {
    const definition = this.find(token);
    const { [FRESH]: fresh, ...sent } = Object.fromEntries(Object.entries(received));
    const { withSchemaKeys } = require("./keys") as typeof import("./keys");
    const stated = withSchemaKeys(withoutNulls(sent), definition.args);
    const { ArgumentError } = require("../../cost/caller") as typeof import("../../cost/caller");
    const { failuresOf: explain } =
      require("../../lifecycle/check/failures") as typeof import("../../lifecycle/check/failures");

    const checked = definition.args.safeParse(stated);
    if (!checked.success) {
      return { failures: checked.error.issues.flatMap((issue) => explain(issue, stated, definition.args)) };
    }
    const { showSecrets, ...args } = checked.data;
    const memo = isAboutCatalog(token.slice(TOKEN_PREFIX.length)) ? this.#catalog : this.#account;
    const key = JSON.stringify([token, args]);
    if (fresh === true) memo.forget(key);
    const call = (all: AbortSignal) =>
      definition.call(client, args, { signal: all, share: (what, load) => this.#catalog.get(what, load, all) });
    try {
      const values = await memo.get(key, call, signal);
      const { secrets } = definition;
      if (secrets === undefined || showSecrets === true) return { values, secret: secrets !== undefined };
      const { withoutSecrets } = require("../../functions/hiding") as typeof import("../../functions/hiding");
      return { values: withoutSecrets(values, secrets), secret: false };
    } catch (error) {
      if (error instanceof ArgumentError) return { failures: [{ property: error.property, reason: error.reason }] };
      throw error;
    }
  }
}
