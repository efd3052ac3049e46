import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Logger } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { type HandOverItem, type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/index.js'
import { type RawData, rawPartOf, userDataOf } from '../raw-data/index.js'
import { handOverIncompleteError } from '../records/errors.js'
import { type HandOverRecord, handOvers, type UserRecord } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'
import { copyPart, takePart } from './hand-over-part.js'

/**
 * Every part is copied before the first is taken away: a plugin may erase what another one has. What
 * is at work in the first round, such as a run or a task, may add to a part that was already handed
 * over; in the second round nothing is at work any more.
 */
const stages: readonly Stage[] = [
  { name: 'copy-1', work: copyPart, copy: null },
  { name: 'take-1', work: takePart, copy: 'copy-1' },
  { name: 'copy-2', work: copyPart, copy: null },
  { name: 'take-2', work: takePart, copy: 'copy-2' },
]

interface Stage {
  readonly name: string
  readonly work: typeof takePart
  /** What has to be done of a part before. A failure undoes it: something may have been added since. */
  readonly copy: string | null
}

/** Plugins may start meanwhile, whose parts are handed over in a further pass. */
const maxPasses = 5

/** Hands accounts over to the people who have proven that the e-mail address is theirs. */
export interface AccountHandOver {
  /** Notes, in the transaction that links the person's identity, that the account is handed over. */
  begin(transaction: Transaction, user: UserRecord): void
  /**
   * Completes what was begun of an account; does nothing for another one. Resolves when nothing of
   * the former holder acts, lets anyone in or instructs an agent, with what was there. Data of a
   * plugin that does not run is handed over when it runs again; documents of one that is gone are
   * copied and erased.
   * @throws `hand_over_incomplete` if a part failed; it is tried again by {@link run} and by the
   * next call.
   */
  complete(userId: string): Promise<HandOverRecord | undefined>
  /**
   * Continues everything that is left to do. A call during a run leads to another one, which takes up
   * what has come since; all calls meanwhile share it.
   */
  run(): Promise<void>
}

/** `usersFolder` has one folder for each handle; `absent` names the plugins that do not run and keep data of users. */
export function createAccountHandOver(dependencies: {
  readonly database: Database
  readonly contributions: Pick<Contributions, 'list' | 'acquire' | 'settled'>
  readonly rawData: Pick<RawData, 'collections' | 'isGone'>
  readonly usersFolder: string
  readonly absent: () => readonly string[]
  readonly clock: Clock
  readonly audit: AuditLog
  readonly log: Logger
  readonly signal: AbortSignal
}): AccountHandOver {
  const { database, contributions, rawData, usersFolder, absent, clock, audit, log, signal } = dependencies
  const atWork = new Map<string, Promise<HandOverRecord | undefined>>()
  let running: Promise<void> | undefined
  let isAgain = false

  const pluginsWithData = (): readonly string[] => contributions.list(userData).map(({ pluginId }) => pluginId)

  /** Notes the plugins that do not run and have documents of accounts, as far as only what they have stored says it. */
  const awaitRaw = async (userId: string): Promise<void> => {
    const plugins = new Set((await rawData.collections()).filter(({ isAwaited }) => isAwaited).map(({ plugin }) => plugin))
    await change(userId, (record) => {
      const added = [...plugins].filter((plugin) => !record.awaits.includes(plugin))
      // Later they belong to the new holder.
      return record.completed_at !== null || added.length === 0 ? record : { ...record, awaits: [...record.awaits, ...added] }
    })
  }

  const parts = async (): Promise<readonly Part[]> => [
    ...contributions.list(userData).map(({ key, pluginId }) => ({
      key,
      pluginId,
      isRaw: false,
      acquire: () => contributions.acquire(userData, key),
    })),
    ...(await rawData.collections())
      .filter(({ isAwaited }) => !isAwaited)
      .map((collection) => ({
        key: rawPartOf(collection),
        pluginId: collection.plugin,
        isRaw: true,
        acquire: () => ({ value: userDataOf(collection), signal, release: () => undefined }),
      })),
  ]

  /** Changes the record within a transaction; `undefined` if the account was deleted meanwhile. */
  const change = (userId: string, changed: (record: HandOverRecord) => HandOverRecord): Promise<HandOverRecord | undefined> =>
    database.transaction(async (transaction) => {
      const record = await transaction.get(handOvers, userId)
      if (!record) return undefined
      const next = changed(record)
      transaction.put(handOvers, next)
      if (next.completed_at !== null && record.completed_at === null)
        audit.record(transaction, {
          kind: 'account.handed_over',
          actor: { userId: null, address: null },
          subjectId: userId,
          details: { items: next.items.map(({ part, what, count, outcome }) => ({ part, what, count, outcome })) },
        })
      return next
    })

  /** Returns whether it succeeded. */
  const doStep = async (record: HandOverRecord, stage: Stage, { key, acquire }: Part): Promise<boolean> => {
    const { id: userId, handle, folder } = record
    const lease = acquire()
    if (!lease) return false
    try {
      const items = await stage.work(lease.value, userId, {
        folder: path.join(usersFolder, handle, 'files', folder),
        signal: AbortSignal.any([signal, lease.signal]),
      })
      await change(userId, (now) => ({ ...now, done: [...now.done, stepOf(stage, key)], items: merged(now.items, key, items) }))
      return true
    } catch (error) {
      signal.throwIfAborted()
      log.warn('A part of an account could not be handed over; the service will try again.', { user_id: userId, part: key, error })
      const undone = `${stage.copy}/${key}`
      await change(userId, (now) => ({ ...now, done: now.done.filter((step) => step !== undone) }))
      return false
    } finally {
      lease.release()
    }
  }

  /** Returns whether all parts that are there are handed over. */
  const doStage = async (userId: string, stage: Stage): Promise<boolean> => {
    let succeeded = true
    for (const part of await parts()) {
      const { key } = part
      const record = await database.collection(handOvers).get(userId)
      if (!record || !concerns(record, part) || record.done.includes(stepOf(stage, key))) continue
      // It started after the copies: the next pass begins with its copy.
      if (stage.copy !== null && !record.done.includes(`${stage.copy}/${key}`)) continue
      succeeded = (await doStep(record, stage, part)) && succeeded
    }
    return succeeded
  }

  const work = async (userId: string): Promise<HandOverRecord | undefined> => {
    const begun = await database.collection(handOvers).get(userId)
    if (!begun?.open) return begun
    // Plugins that are about to start have data too.
    await abortable(contributions.settled(userData), signal)
    await awaitRaw(userId)
    for (let pass = 1; pass <= maxPasses; pass += 1) {
      for (const stage of stages) if (!(await doStage(userId, stage))) throw handOverIncompleteError.create({})
      const present = await parts()
      const record = await change(userId, (now) => settled(now, present))
      if (record === undefined || record.completed_at !== null) return record
    }
    throw handOverIncompleteError.create({})
  }

  /** Completed once nothing is left of the plugins that run or are gone; it awaits the others. */
  const settled = (record: HandOverRecord, present: readonly Part[]): HandOverRecord => {
    const left = present.filter((part) => concerns(record, part) && stages.some((stage) => !record.done.includes(stepOf(stage, part.key))))
    const isOver = (id: string): boolean => pluginsWithData().includes(id) || rawData.isGone(id)
    const awaits = record.awaits.filter((id) => !isOver(id) || left.some(({ pluginId }) => pluginId === id))
    const completedAt = left.length > 0 ? record.completed_at : (record.completed_at ?? timestamp(clock.now()))
    return { ...record, awaits, completed_at: completedAt, open: awaits.length > 0 || left.length > 0 }
  }

  const workOnce = (userId: string): Promise<HandOverRecord | undefined> => {
    const earlier = atWork.get(userId)
    if (earlier) return earlier
    const begun = work(userId).finally(() => atWork.delete(userId))
    atWork.set(userId, begun)
    return begun
  }

  const runAll = async (): Promise<void> => {
    const open: string[] = []
    let cursor: string | undefined
    do {
      const page = await database
        .collection(handOvers)
        .query({ index: 'by_open', equals: [true], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      open.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    for (const userId of open) {
      signal.throwIfAborted()
      try {
        await workOnce(userId)
      } catch (error) {
        // Which part it was is in the log already.
        if (!handOverIncompleteError.isInstance(error)) throw error
      }
    }
  }

  const runUntilDone = async (): Promise<void> => {
    while (isAgain) {
      isAgain = false
      await runAll()
    }
  }

  return {
    begin(transaction, { id, handle }) {
      const now = timestamp(clock.now())
      transaction.put(handOvers, {
        id,
        user_id: id,
        handle,
        began_at: now,
        completed_at: null,
        folder: `before-${now.slice(0, 10)}-${randomBytes(4).toString('hex')}`,
        done: [],
        awaits: [...new Set([...pluginsWithData(), ...absent()])],
        items: [],
        open: true,
      })
    },
    async complete(userId) {
      const record = await database.collection(handOvers).get(userId)
      // What a plugin that was away still has keeps the new holder from nothing.
      return record === undefined || record.completed_at !== null ? record : workOnce(userId)
    },
    run() {
      isAgain = true
      running ??= runUntilDone().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

/** A part of an account's data: what a plugin contributes, or the documents that one has left. */
interface Part {
  readonly key: string
  readonly pluginId: string
  readonly isRaw: boolean
  acquire(): Pick<ContributionLease<UserData>, 'value' | 'signal' | 'release'> | undefined
}

/**
 * Whether the part is the former holder's. What a plugin has left is, until the new holder can sign
 * in; afterwards only that of a plugin that has not run since.
 */
const concerns = ({ awaits, completed_at }: HandOverRecord, { pluginId, isRaw }: Part): boolean =>
  awaits.includes(pluginId) || (isRaw && completed_at === null)

const stepOf = ({ name }: Stage, key: string): string => `${name}/${key}`

/** Adds what one step found. Of what is kept, the later count is the right one. */
function merged(items: HandOverRecord['items'], part: string, found: readonly HandOverItem[]): HandOverRecord['items'] {
  let all = items
  for (const item of found) {
    const isSame = (other: HandOverRecord['items'][number]): boolean =>
      other.part === part && other.what === item.what && other.outcome === item.outcome
    const before = all.find(isSame)?.count ?? 0
    const count = item.outcome === 'kept' ? item.count : before + item.count
    all = [...all.filter((other) => !isSame(other)), { part, what: item.what, count, outcome: item.outcome }]
  }
  return all.filter(({ count }) => count > 0)
}
