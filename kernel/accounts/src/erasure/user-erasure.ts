import path from 'node:path'
import { removeTree } from '@agent-service/kernel-core/disk'
import type { Logger } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import { type RawCollection, type RawData, rawPartOf } from '../raw-data/index.js'
import { type UserErasureRecord, userErasures } from '../records/records.js'
import { earlierNames, namesWhileSettling, settleMs } from './account-names.js'
import { eraseNames, lastReadingFrom } from './erase-names.js'
import type { SealedNames } from './sealed-names.js'

const filesPart = 'files'
const namesPart = 'audit-names'

/** Erases the data of deleted accounts. */
export interface UserErasure {
  /**
   * Continues every erasure: each plugin's part once, the folder of the user's files, and, of plugins
   * that are gone, switched off or declare them no more, the documents of each collection. Other data
   * of a plugin that is not running is erased when it runs again. Safe to repeat after a crash;
   * concurrent calls share one run.
   */
  run(options: { readonly signal: AbortSignal }): Promise<void>
}

/** `usersFolder` has one folder for each handle. */
export function createUserErasure(dependencies: {
  readonly database: Database
  readonly contributions: Contributions
  readonly rawData: Pick<RawData, 'collections'>
  readonly usersFolder: string
  readonly sealedNames: SealedNames
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}): UserErasure {
  const { database, contributions, rawData, usersFolder, sealedNames, clock, log } = dependencies
  let running: Promise<void> | undefined

  const finish = (erasureId: string, part: string): Promise<void> =>
    database.transaction(async (transaction) => {
      const erasure = await transaction.get(userErasures, erasureId)
      if (erasure && !erasure.erased.includes(part)) transaction.put(userErasures, { ...erasure, erased: [...erasure.erased, part] })
    })

  const change = (erasureId: string, members: Partial<UserErasureRecord>): Promise<void> =>
    database.transaction(async (transaction) => {
      const erasure = await transaction.get(userErasures, erasureId)
      if (erasure) transaction.put(userErasures, { ...erasure, ...members })
    })

  /** Stores the earlier names before anything takes them out of the audit log. */
  const withEarlierNames = async (erasure: UserErasureRecord, signal: AbortSignal): Promise<UserErasureRecord> => {
    if (erasure.has_earlier_names || erasure.erased.includes(namesPart)) return erasure
    const names = await earlierNames(database, erasure, { names: await sealedNames.open(erasure), signal })
    const known = { names_sealed: await sealedNames.seal(erasure.id, names), has_earlier_names: true }
    await change(erasure.id, known)
    return { ...erasure, ...known }
  }

  /**
   * Reads on in the audit log where the last call ended, and its end once more when nothing more can
   * be under way; then the names are forgotten.
   */
  const eraseFromAudit = async (erasure: UserErasureRecord, signal: AbortSignal): Promise<void> => {
    if (erasure.erased.includes(namesPart)) return
    const isLast = clock.now() - Date.parse(erasure.requested_at) >= settleMs
    const { id, audit_read_to: readTo } = erasure
    const names = await namesWhileSettling(database, erasure, await sealedNames.open(erasure))
    const lastFrom = lastReadingFrom(erasure.requested_at)
    const from = isLast && readTo !== null && readTo > lastFrom ? lastFrom : readTo
    const onPage = (to: string): Promise<void> => change(id, { audit_read_to: to })
    await eraseNames(database, { id, names }, { from, onPage, signal })
    if (!isLast) return
    await change(id, { names_sealed: null })
    await finish(id, namesPart)
  }

  const warnOf = (id: string, part: string, error: unknown): void =>
    log.warn('The data of a deleted account could not be erased; the service will try again.', { user_id: id, part, error })

  const eraseParts = async (asked: UserErasureRecord, signal: AbortSignal): Promise<void> => {
    const erasure = await withEarlierNames(asked, signal)
    for (const { key } of contributions.list(userData)) {
      if (erasure.erased.includes(key)) continue
      const lease = contributions.acquire(userData, key)
      if (!lease) continue
      try {
        await lease.value.erase(erasure.id, { signal: AbortSignal.any([signal, lease.signal]) })
        await finish(erasure.id, key)
      } catch (error) {
        signal.throwIfAborted()
        warnOf(erasure.id, key, error)
      } finally {
        lease.release()
      }
    }
    if (!erasure.erased.includes(filesPart)) {
      try {
        await removeTree(path.join(usersFolder, erasure.handle), { signal })
        await finish(erasure.id, filesPart)
      } catch (error) {
        // The other accounts are erased all the same.
        signal.throwIfAborted()
        warnOf(erasure.id, filesPart, error)
      }
    }
    await eraseFromAudit(erasure, signal)
  }

  const eraseCollections = async (
    erasure: UserErasureRecord,
    collections: readonly RawCollection[],
    signal: AbortSignal,
  ): Promise<void> => {
    for (const collection of collections) {
      const part = rawPartOf(collection)
      if (erasure.erased.includes(part)) continue
      try {
        await collection.erase(erasure.id, { signal })
        await finish(erasure.id, part)
      } catch (error) {
        signal.throwIfAborted()
        warnOf(erasure.id, part, error)
      }
    }
  }

  const forEach = async (work: (erasure: UserErasureRecord) => Promise<void>, signal: AbortSignal): Promise<void> => {
    let cursor: string | undefined
    do {
      const page = await database
        .collection(userErasures)
        .query({ index: 'by_request', limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      for (const erasure of page.items) {
        signal.throwIfAborted()
        await work(erasure)
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  const runAll = async (signal: AbortSignal): Promise<void> => {
    await forEach(async (erasure) => {
      try {
        await eraseParts(erasure, signal)
      } catch (error) {
        // The other accounts are erased all the same.
        signal.throwIfAborted()
        warnOf(erasure.id, namesPart, error)
      }
    }, signal)
    const collections = await collectionsToErase({ contributions, rawData }, signal)
    if (collections.length > 0) await forEach((erasure) => eraseCollections(erasure, collections, signal), signal)
  }

  return {
    run({ signal }) {
      running ??= runAll(signal).finally(() => {
        running = undefined
      })
      return running
    },
  }
}

/** Of plugins that will not erase them themselves: neither soon, as one that failed, nor ever. */
async function collectionsToErase(
  dependencies: {
    readonly contributions: Pick<Contributions, 'settled'>
    readonly rawData: Pick<RawData, 'collections'>
  },
  signal: AbortSignal,
): Promise<readonly RawCollection[]> {
  const { contributions, rawData } = dependencies
  if ((await rawData.collections()).length === 0) return []
  // Plugins that are about to start answer for theirs.
  await abortable(contributions.settled(userData), signal)
  return (await rawData.collections()).filter(({ isAwaited, state }) => !isAwaited || state === 'disabled')
}
