import type { Account, Accounts } from '@agent-service/sdk/services/accounts'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Collection } from '@agent-service/sdk/services/database'
import { hashOf, isSecret, newSecret } from '../store/secret.js'
import type { Share } from '../store/share.js'

/** A link that works: what it leads to, and whose it is. */
export interface FoundShare {
  readonly share: Share
  readonly owner: Account
}

/** No account has it. */
const nobody = '00000000-0000-7000-8000-000000000000'

/**
 * Finds what a link leads to; `undefined` for one that is malformed, unknown, revoked or expired,
 * of an owner who is disabled, and of a chat that was deleted: a restored one is shared again. The same is done in each of these cases: one hash, one look-up
 * of a link, and one of an account.
 */
export async function findShare(
  dependencies: {
    readonly shares: Pick<Collection<Share>, 'find'>
    readonly accounts: Pick<Accounts, 'get'>
    readonly clock: Pick<Clock, 'now'>
    readonly chats?: Pick<Chats, 'messages'> | undefined
  },
  secret: string,
  signal: AbortSignal,
): Promise<FoundShare | undefined> {
  const { shares, accounts, clock, chats } = dependencies
  const share = await shares.find('by_secret', [hashOf(isSecret(secret) ? secret : newSecret())])
  const owner = await accounts.get(share?.user_id ?? nobody)
  const isLive = share !== undefined && clock.now() < Date.parse(share.expires_at)
  if (!isLive || !owner) return undefined
  if (chats && share.chat_id !== null) {
    const chat = await chats.messages({ userId: owner.id, chatId: share.chat_id, from: 0, limit: 0 }, { signal })
    if (!chat || chat.deleted) return undefined
  }
  return { share, owner }
}
