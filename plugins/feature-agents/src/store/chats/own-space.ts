import type { Transaction } from '@agent-service/sdk/services/database'
import { ownUndeleted } from '../../common/own-document.js'
import { spaceCollection } from './space.js'

/**
 * The id, if it is a space of this user that is not being deleted. Read in the transaction, so that
 * nothing is added to a space whose deletion has begun.
 */
export async function ownSpace<Id extends string | null>(transaction: Transaction, spaceId: Id, userId: string): Promise<Id> {
  if (spaceId === null) return spaceId
  ownUndeleted('space', await transaction.get(spaceCollection, spaceId), userId)
  return spaceId
}
