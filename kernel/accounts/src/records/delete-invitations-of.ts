import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { invitations } from './admission-records.js'

/**
 * Ends the invitations of an account that is no admin any more, in the transaction of that change.
 * One that is being made at this moment is not seen: it does not work either, since its maker is
 * looked at when it is used.
 */
export async function deleteInvitationsOf(userId: string, database: Database, transaction: Transaction): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await database
      .collection(invitations)
      .query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    for (const { id } of page.items) transaction.delete(invitations, id)
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
