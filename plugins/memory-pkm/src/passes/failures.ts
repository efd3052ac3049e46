import { type Logger, ServiceError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import { documentId } from '../common/ids.js'
import { oneLine } from '../common/text.js'
import { type ChatCursor, type ConsolidationPass, cursorCollection } from '../store/pass-records.js'
import type { PassStore } from './pass-store.js'

/** What failures are handled with. */
export interface FailureDependencies {
  readonly database: Database
  readonly store: PassStore
  readonly clock: Clock
  readonly log: Logger
  readonly settings: MemorySettings
}

/**
 * Counts a failure of the stage. The pass waits for its next attempt, longer each time; the failure
 * of the configured number abandons it. The chat is read again only after new messages then.
 */
export async function afterFailure(
  dependencies: FailureDependencies,
  pass: ConsolidationPass,
  error: unknown,
): Promise<ConsolidationPass | undefined> {
  const { store, clock, settings, log } = dependencies
  const failures = pass.failures + 1
  const isLast = failures >= settings.pkm_consolidation_max_attempts
  const now = clock.now()
  const wait = settings.pkm_consolidation_retry_base_secs * 2 ** Math.min(20, failures - 1) * 1_000
  const message = reasonOf(error)
  log.warn('A stage of consolidation failed.', { passId: pass.pass_id, stage: pass.stage, failures, abandoned: isLast, error })
  const deleted = await ownCheckpoints(dependencies, pass, (each) => each.stage === pass.stage)
  if (!isLast) {
    const next = new Date(now + wait).toISOString()
    return store.update(pass, { pass: { state: 'waiting', failures, error: message, next_attempt_at: next }, deleted })
  }
  const ended = {
    state: 'abandoned',
    open: null,
    failures,
    error: message,
    next_attempt_at: null,
    finished_at: new Date(now).toISOString(),
  } as const
  return store.update(pass, { pass: ended, deleted, also: (transaction) => rest(transaction, pass) })
}

/** Nothing more of the chat is read until it has new messages. */
async function rest(transaction: Transaction, pass: ConsolidationPass): Promise<void> {
  const cursor = await transaction.get(cursorCollection, documentId(pass.user_id, pass.chat_id))
  if (cursor && !cursor.deleted && cursor.last_activity_at <= pass.started_at)
    transaction.put(cursorCollection, { ...cursor, pending: false })
}

/**
 * Goes back to the stage after extraction, with the extraction kept. Above the configured number of
 * resets the pass has failed for good; the chat goes on behind it, so that it cannot fail for ever.
 */
export async function resetPass(
  dependencies: FailureDependencies,
  pass: ConsolidationPass,
  error: unknown,
): Promise<ConsolidationPass | undefined> {
  const { store, clock, settings, log } = dependencies
  const resets = pass.resets + 1
  const message = reasonOf(error)
  log.info('A pass of consolidation begins again after its extraction.', { passId: pass.pass_id, stage: pass.stage, resets })
  const deleted = await ownCheckpoints(dependencies, pass, (each) => each.stage !== 'extract' || each.place !== 'extract')
  if (resets <= settings.pkm_consolidation_checkpoint_failure_cap)
    return store.update(pass, { pass: { stage: 'classify', failures: 0, resets, error: message }, deleted })
  const ended = {
    state: 'failed',
    open: null,
    resets,
    error: message,
    next_attempt_at: null,
    finished_at: new Date(clock.now()).toISOString(),
  } as const
  return store.update(pass, { pass: { ...ended, stage: pass.stage }, deleted, also: (transaction) => advanceCursor(transaction, pass) })
}

/** Ends a pass without a change of memories. `dropped`: what it read is not to be learnt from any more. */
export async function dropPass(
  dependencies: FailureDependencies,
  pass: ConsolidationPass,
  { outcome }: { readonly outcome: 'nothing_to_do' | 'dropped' },
): Promise<ConsolidationPass | undefined> {
  const finished = new Date(dependencies.clock.now()).toISOString()
  const deleted = await ownCheckpoints(dependencies, pass, () => true)
  return dependencies.store.update(pass, {
    pass: { state: 'done', open: null, outcome, error: null, next_attempt_at: null, finished_at: finished },
    deleted,
    also: (transaction) => advanceCursor(transaction, pass),
  })
}

/** The most ends of passes that a cursor keeps. */
const maxMarks = 50

/** The chat was read up to the end of the pass. */
export async function advanceCursor(transaction: Transaction, pass: ConsolidationPass): Promise<void> {
  const cursor = await transaction.get(cursorCollection, documentId(pass.user_id, pass.chat_id))
  if (cursor) transaction.put(cursorCollection, advanced(cursor, pass))
}

export function advanced(cursor: ChatCursor, { to, last_message_id: messageId }: ConsolidationPass): ChatCursor {
  const mark = { sequence: to - 1, message_id: messageId }
  const earlier = cursor.marks.filter(({ sequence }) => sequence !== mark.sequence)
  const marks = [...earlier, mark].sort((one, other) => one.sequence - other.sequence).slice(-maxMarks)
  return { ...cursor, through: Math.max(cursor.through, to), marks }
}

async function ownCheckpoints(
  { store }: FailureDependencies,
  pass: ConsolidationPass,
  select: (checkpoint: { readonly stage: string; readonly place: string }) => boolean,
): Promise<readonly string[]> {
  const all = await store.checkpoints(pass, { signal: new AbortController().signal })
  return all.filter(select).map(({ id }) => id)
}

/** For people: what the error says, if it was written for them. */
const reasonOf = (error: unknown): string =>
  ServiceError.isInstance(error) ? oneLine(error.message, 500) : 'An internal error; the log of the service has more.'
