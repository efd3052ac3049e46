import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { personalAccessTokens } from './records.js'

/**
 * Deletes every personal access token of an account in the transaction. A token that is being
 * created at this moment is not seen: the transaction has to end the account's sessions too, which
 * makes the creation fail.
 */
export async function deleteTokensOf(userId: string, database: Database, transaction: Transaction): Promise<void> {
  // An account cannot have more.
  const tokens = await database.collection(personalAccessTokens).query({ index: 'by_user', equals: [userId], limit: 200 })
  for (const { id } of tokens.items) transaction.delete(personalAccessTokens, id)
}
