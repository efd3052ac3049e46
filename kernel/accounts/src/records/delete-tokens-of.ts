import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { personalAccessTokens } from './records.js'

/**
 * Deletes every personal access token of an account with the transaction. One that is being made at this moment is not seen: the transaction has to end the
 * account's sessions too, with which making a token ends.
 */
export async function deleteTokensOf(userId: string, database: Database, transaction: Transaction): Promise<void> {
  // Nobody may have more.
  const tokens = await database.collection(personalAccessTokens).query({ index: 'by_user', equals: [userId], limit: 200 })
  for (const { id } of tokens.items) transaction.delete(personalAccessTokens, id)
}
