import type { MemorySweep } from '@agent-service/sdk/contracts/memory-backend'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import { expiredOf } from '../memories/revisions.js'
import { type MemoryUser, userCollection } from '../store/collections.js'
import { type CompactionParts, compactScope } from './compact-scope.js'
import { fingerprintOf, longScopes, placeKeyOf, type ScopeNotes } from './notes.js'

/** What a sweep works with. */
export interface SweepParts extends CompactionParts {
  readonly database: Database
  readonly settings: MemorySettings
}

/** Of a sweep, as the contract has them. */
export interface SweepOptions {
  readonly signal: AbortSignal
  readonly changed?: ((userId: string) => Promise<void>) | undefined
}

const maxUsers = 50
const concurrency = 2

interface Job {
  readonly userId: string
  readonly long: ScopeNotes
}

/**
 * Does what is due, for those who have waited longest: removes what can no longer be brought back, and
 * compacts. Users take turns, one scope at a time. What fails is tried again an interval later.
 */
export async function sweep(parts: SweepParts, { signal, changed }: SweepOptions): Promise<MemorySweep> {
  signal.throwIfAborted()
  const now = parts.clock.now()
  const query = { index: 'by_due', from: 0, to: now + 1, limit: maxUsers }
  const { items, nextCursor } = await parts.database.collection(userCollection).query(query)
  const lists: (readonly Job[])[] = []
  for (const user of items) {
    signal.throwIfAborted()
    lists.push(await beginUser(parts, user, now, signal))
  }
  const jobs = takeTurns(lists)
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await runJob(parts, job, { signal, changed })
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { users: items.length, more: nextCursor !== undefined }
}

/**
 * Removes what has expired, and finds what is to be compacted. The time of the next compaction is an
 * interval later if there is something to do, so that a crash or a failure leaves it for then.
 */
async function beginUser(parts: SweepParts, { id: userId }: MemoryUser, now: number, signal: AbortSignal): Promise<readonly Job[]> {
  const {
    basic_compaction_secs: secs,
    basic_space_compaction_secs: spaceSecs,
    basic_compaction_token_threshold: threshold,
  } = parts.settings
  return parts.store.change(
    userId,
    (memories, user) => {
      if (user === undefined || user.due_at === null || user.due_at > now) return { result: [] }
      const isDue = (time: number | null): boolean => time !== null && time <= now
      const [own, spaces] = [isDue(user.compact_at), isDue(user.compact_spaces_at)]
      const isOpen = ({ key, notes }: ScopeNotes): boolean => user.settled[key] !== fingerprintOf(notes)
      const ownScopes = own ? longScopes(memories, ['user', 'agent'], threshold).filter(isOpen) : []
      const spaceScopes = spaces ? longScopes(memories, ['space'], threshold).filter(isOpen) : []
      return {
        result: [...ownScopes, ...spaceScopes].map((long) => {
          const place = user.settled[placeKeyOf(long.key)]
          return { userId, long: place === undefined ? long : { ...long, place } }
        }),
        remove: expiredOf(memories, now),
        user: {
          ...(own && { compact_at: ownScopes.length > 0 ? now + secs * 1_000 : null }),
          ...(spaces && { compact_spaces_at: spaceScopes.length > 0 ? now + spaceSecs * 1_000 : null }),
        },
      }
    },
    { signal },
  )
}

async function runJob(parts: SweepParts, { userId, long }: Job, { signal, changed }: SweepOptions): Promise<void> {
  const before = await parts.store.versionOf(userId)
  try {
    await compactScope(parts, userId, long, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('Memories could not be compacted. They stay as they are, and it is tried again later.', { user_id: userId, error })
  } finally {
    if (changed && (await parts.store.versionOf(userId)) !== before) await changed(userId)
  }
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => (list[index] === undefined ? [] : [list[index]]))).flat()
}
