import { createHash } from 'node:crypto'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, defineCollection, documentsOf } from '@agent-service/sdk/services/database'
import { LRUCache } from 'lru-cache'
import type { MediaPart } from '../../common/media-places.js'

/** A picture or file of a user that a vendor has refused, by its digest. */
export type RefusedPart = {
  /** A digest of user, target and part. */
  readonly id: string
  readonly user_id: string
  /** Connection and model. */
  readonly target: string
  /** The length of the part's base64 or address, so that others need no digest. */
  readonly length: number
  /** SHA-256 of base64 or address. */
  readonly digest: string
  /** The vendor's words. */
  readonly reason: string
  readonly refused_at: string
}

export const refusedPartCollection = defineCollection<RefusedPart>()({
  name: 'inference.refused_parts',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_age: { fields: ['refused_at'] } },
  migrations: [],
})

/** The most that counts of one user. */
const maxPerUser = 500
/** How many users' refusals are held in memory. */
const maxUsers = 500
/** How many parts are known that were refused once, in words that are not enough. */
const maxSuspected = 5_000

/** Whose request it is, and for which connection and model. A request without a user remembers nothing. */
export interface RefusedPartsPlace {
  readonly userId: string | undefined
  readonly target: string
}

/** Why a part was refused. */
export interface RefusalOfPart {
  /** In the vendor's words. */
  readonly reason: string
  /** Whether these words are enough. Otherwise the part counts as refused only the second time. */
  readonly isLasting: boolean
}

/** Remembers which pictures and files which target has refused. */
export interface RefusedParts {
  /** Those of the given parts that the target has refused before, with the vendor's words. */
  among(parts: readonly MediaPart[], place: RefusedPartsPlace): Promise<readonly (readonly [MediaPart, string])[]>
  /** Never rejects: without it, the next request is refused once more. */
  remember(refused: ReadonlyMap<MediaPart, RefusalOfPart>, place: RefusedPartsPlace): Promise<void>
  /** Forgets what is held in memory of a user. */
  forget(userId: string): void
}

export function createRefusedParts(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
}): RefusedParts {
  const { database, clock, log } = dependencies
  const collection = database.collection(refusedPartCollection)
  const users = new LRUCache<string, Map<string, RefusedPart>>({ max: maxUsers })
  const suspected = new LRUCache<string, true>({ max: maxSuspected })

  const partsOf = async (userId: string): Promise<Map<string, RefusedPart>> => {
    const held = users.get(userId)
    if (held) return held
    const parts = new Map<string, RefusedPart>()
    for await (const part of documentsOf(database, refusedPartCollection, { index: 'by_user', equals: [userId] })) {
      if (parts.size >= maxPerUser) break
      parts.set(part.id, part)
    }
    users.set(userId, parts)
    return parts
  }

  const dropOldest = async (parts: Map<string, RefusedPart>): Promise<void> => {
    const [oldest] = [...parts.values()].sort((one, other) => one.refused_at.localeCompare(other.refused_at))
    if (!oldest) return
    parts.delete(oldest.id)
    await collection.delete(oldest.id)
  }

  return {
    async among(parts, { userId, target }) {
      if (userId === undefined) return []
      const known = [...(await partsOf(userId)).values()].filter((each) => each.target === target)
      return parts.flatMap((part) => {
        const content = contentOf(part)
        const alike = known.filter(({ length }) => length === content.length)
        const digest = alike.length === 0 ? '' : digestOf(content)
        const found = alike.find((each) => each.digest === digest)
        return found ? [[part, found.reason] as const] : []
      })
    },
    async remember(refused, { userId, target }) {
      if (userId === undefined) return
      try {
        const known = await partsOf(userId)
        for (const [part, { reason, isLasting }] of refused) {
          const content = contentOf(part)
          const digest = digestOf(content)
          const id = digestOf(JSON.stringify([userId, target, digest]))
          if (!isLasting && !suspected.has(id)) {
            suspected.set(id, true)
            continue
          }
          const refusedAt = new Date(clock.now()).toISOString()
          const stored = { id, user_id: userId, target, length: content.length, digest, reason, refused_at: refusedAt }
          await collection.put(stored)
          known.set(id, stored)
          if (known.size > maxPerUser) await dropOldest(known)
        }
      } catch (error) {
        log.warn('It could not be stored which picture a vendor refused; the next request with it is refused once more.', { error })
      }
    },
    forget: (userId) => void users.delete(userId),
  }
}

const contentOf = ({ data, url }: MediaPart): string => data ?? url ?? ''
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
