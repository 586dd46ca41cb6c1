import { badRequest } from "../problem";
import type { Service } from "../service";

/** One public key: its type, the key, and an optional comment. */
export const SSH_KEY = /^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$/;

export const sshKeysOf = ({ store }: Service): string[] => Array.from(store.sshKeys.values(), ({ key }) => key);

export function replaceSshKeys({ store }: Service, keys: readonly string[]): void {
  const broken = keys.find((key) => !SSH_KEY.test(key));
  if (broken !== undefined) throw badRequest("pubKey must hold one SSH public key a line");
  store.sshKeys.replaceAll(keys.map((key, index) => ({ id: String(index), key })));
}
