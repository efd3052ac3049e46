import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { runKeyReusedError } from '@agent-service/sdk/services/runs'
import type { RunsWithin } from '../run-service/create-runs.js'
import { clientKeyOf } from '../run-service/start-run.js'
import { chatCollection } from '../store/chats/chat.js'
import { type Message, messageCollection } from '../store/chats/message.js'
import { isFinished, type Run } from '../store/runs/run.js'

/** How long the key of a turn is known, in milliseconds. */
export const turnKeyLifeMs = 24 * 3_600_000

/** The most turns whose newest run is remembered. */
const maxRemembered = 10_000

/** A turn that an earlier request has begun. */
export interface RepeatedTurn {
  readonly chatId: string
  readonly runId: string
}

/** Finds turns that are requested again. */
export interface RepeatedTurns {
  /**
   * The chat and run of a turn that was begun before. One whose run failed or was cancelled is
   * answered again in its chat. `undefined` if the turn is new. @throws `idempotency_key_reused` if
   * the key is that of another turn, `run_in_progress` if it cannot be answered again because the
   * chat is busy, and as `Posting.regenerate`.
   */
  find(
    turn: { readonly userId: string; readonly key: string; readonly hash: string },
    signal: AbortSignal,
  ): Promise<RepeatedTurn | undefined>
}

/** The stored key of a turn, as a key of `Runs.start`. */
export const runKeyOf = (key: string): string => `conversation/${key}`

export function createRepeatedTurns(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly runs: Pick<RunsWithin, 'record' | 'watch' | 'regenerate'>
}): RepeatedTurns {
  const { database, clock, runs } = dependencies
  /** The newest run of each turn that was answered again, by the id of its message. */
  const answeredAgain = new Map<string, string>()
  /** Answers that begin right now, by the id of the message. */
  const beginning = new Map<string, Promise<string>>()

  const answerAgain = (userId: string, message: Message): Promise<string> => {
    const current = beginning.get(message.id)
    if (current) return current
    const begun = (async () => {
      try {
        const { run } = await runs.regenerate({ userId, chatId: message.chat_id, messageId: message.id })
        answeredAgain.delete(message.id)
        answeredAgain.set(message.id, run.id)
        const [oldest] = answeredAgain.keys()
        if (answeredAgain.size > maxRemembered && oldest !== undefined) answeredAgain.delete(oldest)
        return run.id
      } finally {
        beginning.delete(message.id)
      }
    })()
    beginning.set(message.id, begun)
    return begun
  }

  /** The run once it is known how it goes on: not while it is being cancelled. */
  const settledRun = async (userId: string, runId: string, signal: AbortSignal): Promise<Run> => {
    const run = await runs.record({ userId, runId })
    if (isFinished(run) || run.cancel_requested_at === null) return run
    for await (const event of runs.watch({ userId, runId }, { signal })) if (event.type === 'finished') break
    return runs.record({ userId, runId })
  }

  return {
    async find({ userId, key, hash }, signal) {
      const message = await database.collection(messageCollection).find('by_client_key', [clientKeyOf(userId, runKeyOf(key))])
      if (!message || Date.parse(message.created_at) + turnKeyLifeMs < clock.now()) return undefined
      const chat = await database.collection(chatCollection).get(message.chat_id)
      if (!chat || chat.deleting) return undefined
      if (message.client_hash !== hash) throw runKeyReusedError.create({ key })
      const run = await settledRun(userId, answeredAgain.get(message.id) ?? message.run_id, signal)
      const isOver = run.status === 'failed' || run.status === 'cancelled'
      return { chatId: message.chat_id, runId: isOver ? await answerAgain(userId, message) : run.id }
    },
  }
}
