import { badRequest } from "../problem";
import type { Service } from "../service";
import { recordsOf } from "../store";
import type { SshKeyRecord } from "../store/records";

const sshKeys = recordsOf<SshKeyRecord>("sshKeys");

/** One public key: its type, the key, and an optional comment. */
export const SSH_KEY = /^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$/;

export const sshKeysOf = (service: Service): string[] => Array.from(sshKeys(service).values(), ({ key }) => key);

export function replaceSshKeys(service: Service, keys: readonly string[]): void {
  const broken = keys.find((key) => !SSH_KEY.test(key));
  if (broken !== undefined) throw badRequest("pubKey must hold one SSH public key a line");
  sshKeys(service).replaceAll(keys.map((key, index) => ({ id: String(index), key })));
}
