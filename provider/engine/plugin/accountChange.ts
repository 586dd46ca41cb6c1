import { AuthenticationError } from "../../../client";
import { OtherAccountError, type Owner } from "../account";
import { ConfigError, type ReadConfig } from "../config";
import { connect } from "../connect";

/** A provider's configuration before and after, as DiffConfig compares them. */
export interface ProviderChange {
  readonly before: ReadConfig;
  readonly after: ReadConfig;
  /** The provider's name, if the program made it. */
  readonly provider: string | undefined;
  /**
   * Whether the configuration before was this provider's own. Otherwise it is that of the provider which a resource had
   * before.
   */
  readonly isOwn: boolean;
}

/**
 * Whether the new configuration moves resources to another account, so that they have to be replaced. It asks the service
 * only if key or address differ. An old key that was revoked, as after a rotation, can't be asked. Then the answer is
 * false, and the accounts in the resources' states are compared with the new key's.
 *
 * @throws OtherAccountError if a provider's own key was exchanged for one of another account: nobody asked for a move
 */
export async function changesAccount({ before, after, provider, isOwn }: ProviderChange): Promise<boolean> {
  const old = contextBefore(before);
  const next = connect(after, provider, "native");
  const { apiKey, baseUrl } = next.settings;
  if (old?.settings.apiKey === apiKey && old.settings.baseUrl === baseUrl) return false;
  // From here on the accounts that states name are compared in previews too.
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
    return connect(before, undefined, "native");
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
