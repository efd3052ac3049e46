import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Vault } from '../store/vault.js'

/**
 * Whether a user may use a connection: their own, or one of the deployment that administrators have
 * opened to them. Asked at each use, so that a change holds at once.
 */
export async function mayUseVault(
  accounts: Pick<Accounts, 'get'>,
  { user_id: ownerId, access }: Pick<Vault, 'user_id' | 'access'>,
  userId: string,
): Promise<boolean> {
  if (ownerId !== null) return ownerId === userId
  const account = await accounts.get(userId)
  if (!account || access === null) return false
  if (access.kind === 'users') return access.user_ids.includes(userId)
  return access.kind === 'everyone' || account.role === 'admin'
}
