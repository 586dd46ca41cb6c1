import { AuthenticationError } from "../../client/errors";
import { OtherAccountError, type Owner } from "../account";
import { ConfigError, type ReadConfig } from "../config";
import { connect } from "../connect";

/** The two configurations of a provider's comparison. */
export interface ProviderChange {
  readonly before: ReadConfig;
  readonly after: ReadConfig;
  /** The provider's name, where the program made it. */
  readonly provider: string | undefined;
  /** The configuration before was this provider's own, and not that of the provider that a resource had. */
  readonly isOwn: boolean;
}

/**
 * Whether resources that go over to the new configuration go over to another account: then they have to be replaced. Asks only
 * where key or address differ. A key that was revoked since, as after a rotation, can't be asked: then what the resources'
 * states say is compared with the new key's account.
 *
 * @throws OtherAccountError where one provider's key was exchanged for another account's: nobody has asked for a move
 */
export async function changesAccount({ before, after, provider, isOwn }: ProviderChange): Promise<boolean> {
  const old = contextBefore(before);
  const next = connect(after, provider);
  const { apiKey, baseUrl } = next.settings;
  if (old?.settings.apiKey === apiKey && old.settings.baseUrl === baseUrl) return false;
  // From here on, what a state says of its account is compared in previews too.
  await next.account.willCreate();
  const [from, to] = await Promise.all([old && ownerBefore(old.account), next.account.owner()]);
  if (from === undefined || to === undefined || from.mark === to.mark) return false;
  if (!isOwn) return true;
  throw new OtherAccountError(
    `${provider === undefined ? "The stack's key" : `The key of the provider "${provider}"`} was one of the account ` +
      `${from.label}, and is one of the account ${to.label} now, which has none of its resources. Nothing was changed. Use a key ` +
      "of the first account. To move resources, give them a `provider` of another name with the new key: that replaces them.",
  );
}

function contextBefore(before: ReadConfig) {
  try {
    return connect(before);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

async function ownerBefore(account: { owner(): Promise<Owner | undefined> }): Promise<Owner | undefined> {
  try {
    return await account.owner();
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined;
    throw error;
  }
}
