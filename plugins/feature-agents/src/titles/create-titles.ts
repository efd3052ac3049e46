import { type Disposer, type Logger, ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import {
  budgetExceededError,
  callInterruptedError,
  credentialMissingError,
  credentialUnusableError,
  modelGroupUnknownError,
  modelGroupUnusableError,
} from '@agent-service/sdk/services/inference'
import { type Limit, limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import { type Chat, chatCollection, presentChat } from '../store/chats/chat.js'
import { type TitleTask, titleTaskCollection } from '../store/chats/title-task.js'
import { titleUnusableError } from './errors.js'
import type { TitleWriter } from './write-title.js'

/** How often a model is asked for one title. */
export const maxTitleAttempts = 2
/** How long a failed task waits before it is tried again, in milliseconds. */
export const titleRetryMs = 30_000
/** How many tasks this process keeps in memory; the job finds the others in the store. */
const maxKept = 200
/** How many tasks are read from the store at a time. */
const pageSize = 200

/** Errors after which asking again is of no use. */
const finalErrors = [
  titleUnusableError,
  budgetExceededError,
  credentialMissingError,
  credentialUnusableError,
  modelGroupUnknownError,
  modelGroupUnusableError,
]

const isFinalError = (error: unknown): boolean =>
  finalErrors.some((kind) => kind.isInstance(error)) || (providerError.isInstance(error) && error.details['retryable'] === false)

/**
 * Has models make the titles of chats after their first answers. Every title is a stored task, so
 * that a crash loses none; a model is asked at most {@link maxTitleAttempts} times for one. No run
 * waits for it.
 */
export interface Titles {
  /** Begins with the task of a chat, if there is one. Returns at once. */
  wake(chatId: string): void
  /** Begins with every task of the store that is due. Resolves when they are known. */
  resume(signal?: AbortSignal): Promise<void>
  /**
   * Breaks off the calls in progress, which the next start repeats. Resolves when they have ended.
   */
  stop(): Promise<void>
}

interface TitlesDependencies {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly writer: TitleWriter
  /** The share of each user. */
  readonly limit: Limit
  readonly leases: {
    readonly driverId: string
    heldMs(transaction: Transaction, work: Pick<TitleTask, 'driver'>): Promise<number>
  }
  readonly log: Logger
}

/** A task that this process works on: before and after it began the call. */
interface ClaimedTask {
  readonly before: TitleTask
  readonly task: TitleTask
  readonly chat: Chat
}

export function createTitles(dependencies: TitlesDependencies): Titles {
  const { database, clock, limit, log } = dependencies
  const tasks = database.collection(titleTaskCollection)
  const controller = new AbortController()
  const { signal } = controller
  const kept = new Map<string, Promise<void>>()
  const timers = new Map<string, Disposer>()

  const wake = (chatId: string): void => {
    if (signal.aborted || kept.has(chatId) || kept.size >= maxKept) return
    const work = attempt(chatId)
      .catch((error: unknown) => {
        // The job comes back to what does not fit at the moment.
        const isFull = limitReachedError.isInstance(error) || overloadedError.isInstance(error)
        if (!signal.aborted && !isFull) log.warn('A title could not be made yet.', { chat_id: chatId, error })
      })
      .finally(() => kept.delete(chatId))
    kept.set(chatId, work)
  }

  const wakeAt = (chatId: string, dueAt: string): void => {
    if (signal.aborted || timers.has(chatId) || timers.size >= maxKept) return
    const disposer = clock.after(Math.max(0, Date.parse(dueAt) - clock.now()), () => {
      timers.delete(chatId)
      wake(chatId)
    })
    timers.set(chatId, disposer)
  }

  const attempt = async (chatId: string): Promise<void> => {
    const waiting = await tasks.get(chatId)
    if (!waiting) return
    const hold = await limit.acquire(`user:${waiting.user_id}`, 1, { signal })
    try {
      const claimed = await claim(dependencies, chatId)
      if (!claimed) return
      const next = await make(dependencies, claimed, signal)
      if (next) wakeAt(chatId, next.due_at)
    } finally {
      hold.release()
    }
  }

  return {
    wake,
    async resume(until) {
      let cursor: string | undefined
      do {
        until?.throwIfAborted()
        const page = await tasks.query({ index: 'by_due', limit: pageSize, ...(cursor === undefined ? {} : { cursor }) })
        for (const { id, due_at } of page.items) wakeAt(id, due_at)
        cursor = timers.size >= maxKept ? undefined : page.nextCursor
      } while (cursor !== undefined && !signal.aborted)
    },
    async stop() {
      controller.abort(callInterruptedError.create({}))
      for (const disposer of timers.values()) await disposer()
      timers.clear()
      await Promise.all(kept.values())
    },
  }
}

/** Makes a task this process's. Undefined: it is not due, another process has it, or it is over. */
async function claim({ database, clock, leases }: TitlesDependencies, chatId: string): Promise<ClaimedTask | undefined> {
  return database.transaction(async (transaction) => {
    const before = await transaction.get(titleTaskCollection, chatId)
    if (!before || Date.parse(before.due_at) > clock.now()) return undefined
    if ((await leases.heldMs(transaction, before)) > 0) return undefined
    const chat = await transaction.get(chatCollection, chatId)
    if (!chat || chat.deleting || before.attempts >= maxTitleAttempts) {
      transaction.delete(titleTaskCollection, chatId)
      return undefined
    }
    const asked_at = new Date(clock.now()).toISOString()
    const task: TitleTask = { ...before, attempts: before.attempts + 1, asked_at, driver: leases.driverId }
    transaction.put(titleTaskCollection, task)
    return { before, task, chat }
  })
}

/** Asks the model and stores the title. Returns the task if it has to be tried again. */
async function make(dependencies: TitlesDependencies, claimed: ClaimedTask, signal: AbortSignal): Promise<TitleTask | undefined> {
  const { accounts, clock, log, writer } = dependencies
  const { before, task, chat } = claimed
  try {
    if (!(await accounts.get(task.user_id))) return await settle(dependencies, task, undefined)
    const attribution = { userId: task.user_id, agentId: task.agent_id, chatId: task.id, runId: task.run_id, purpose: 'title' }
    // The process ended during the call before this one.
    const lostCalls =
      before.asked_at === null ? [] : [{ id: `${task.id}/title/${before.attempts}`, requestedAt: Date.parse(before.asked_at) }]
    await setTitle(dependencies, task, await writer.write(chat, { attribution, lostCalls, signal }))
    return undefined
  } catch (error) {
    const free = { asked_at: null, driver: null }
    // A call that the stop of the service broke off does not count.
    if (signal.aborted) return await settle(dependencies, task, { ...task, ...free, attempts: before.attempts })
    const isFinal = task.attempts >= maxTitleAttempts || isFinalError(error)
    const details = { chat_id: task.id, attempt: task.attempts, error: ServiceError.isInstance(error) ? error.message : error }
    log.warn(isFinal ? 'A model made no title; the first words stay.' : 'A model made no title; it is asked once more.', details)
    const due_at = new Date(clock.now() + titleRetryMs).toISOString()
    return await settle(dependencies, task, isFinal ? undefined : { ...task, ...free, due_at })
  }
}

/** Replaces a task, or removes it. One that was removed meanwhile stays removed. */
async function settle({ database }: TitlesDependencies, task: TitleTask, next: TitleTask | undefined): Promise<TitleTask | undefined> {
  return database.transaction(async (transaction) => {
    if (!(await isCurrent(transaction, task))) return undefined
    if (next) transaction.put(titleTaskCollection, next)
    else transaction.delete(titleTaskCollection, task.id)
    return next
  })
}

/** A person who has set a title has removed the task, so theirs is never replaced. */
async function setTitle({ database, events }: TitlesDependencies, task: TitleTask, title: string): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await isCurrent(transaction, task))) return
    transaction.delete(titleTaskCollection, task.id)
    const chat = await transaction.get(chatCollection, task.id)
    if (!chat || chat.deleting) return
    // The chat keeps its place in lists.
    const titled: Chat = { ...chat, title }
    transaction.put(chatCollection, titled)
    events.record(transaction, { userId: chat.user_id, name: 'chat.updated', data: { chat_id: chat.id, chat: presentChat(titled) } })
  })
}

/** Whether the stored task is still this attempt. */
async function isCurrent(transaction: Transaction, { id, attempts, driver }: TitleTask): Promise<boolean> {
  const stored = await transaction.get(titleTaskCollection, id)
  return stored !== undefined && stored.attempts === attempts && stored.driver === driver
}
