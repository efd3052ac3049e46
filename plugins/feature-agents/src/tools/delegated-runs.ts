import type { Disposer, Logger } from '@agent-service/sdk'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { v5 as uuidv5 } from 'uuid'
import type { Posting } from '../posting/posting.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { RunWatchers, Watch, WatchedEvent } from '../runs/streaming/run-watchers.js'
import type { Agent } from '../store/agents/agent.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { type Chat, chatCollection, newChat, titleFrom } from '../store/chats/chat.js'
import { isFinished, type Run, runCollection } from '../store/runs/run.js'

/** How long a run that is no longer wanted may take to stop, in milliseconds. */
const cancelWithinMs = 15_000
/** How long it takes to look again at a run that is not here, in milliseconds. */
const lookAgainMs = 1_000
/** What the ids of delegated chats are made from, with the call's id. */
const namespace = 'd7c5a3f0-41f3-5c3e-9f52-6d1e0f7f2b11'

/** The chat of a delegated task: made of the call's id, so that a call that runs again after a crash finds what it has begun. */
export const delegatedChatId = (callId: string): string => uuidv5(callId, namespace)

/** The part of a call's context that a delegated run needs. */
export type DelegatingCall = Pick<ToolContext, 'callId' | 'runId' | 'userId' | 'depth' | 'signal' | 'progress'>

/** Runs that a call of another run has begun. */
export interface DelegatedRuns {
  /**
   * Gives a task to an agent in a chat of its own that no list shows, and waits until its run has ended; a call that has begun it before attaches to that one.
   * The run is cancelled when the calling run ends before it and when the call's time is over; when the service stops both stay. @throws the signal's
   * reason, `too_many_runs`, `no_agent`.
   */
  run(agent: Agent, task: string, call: DelegatingCall): Promise<{ readonly run: Run; readonly text: string }>
  /** Ends a run that is taken up although the run that wanted it has ended, or is to end. Gives whether it did. */
  endUnwanted(run: Run): Promise<boolean>
  /** The same for all that wait for a person. */
  endUnwantedWaiting(): Promise<void>
}

export function createDelegatedRuns(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly posting: Posting
  readonly runs: RunManager
  readonly watchers: RunWatchers
  readonly logger: Logger
}): DelegatedRuns {
  const { database, clock, posting, runs, watchers, logger } = dependencies
  const chats = database.collection(chatCollection)
  const storedRuns = database.collection(runCollection)

  const chatFor = async (agent: Agent, task: string, callId: string): Promise<Chat> => {
    const id = delegatedChatId(callId)
    const now = new Date(clock.now()).toISOString()
    return database.transaction(async (transaction) => {
      const known = await transaction.get(chatCollection, id)
      if (known) return known
      const chat = newChat({ id, user_id: agent.user_id, agent_id: agent.id, title: titleFrom(task), listing: 'hidden' }, now)
      transaction.insert(chatCollection, chat)
      return chat
    })
  }

  /** The run of the call, begun where it was not begun before. */
  const runFor = async (chat: Chat, task: string, { callId, runId, userId, depth }: DelegatingCall): Promise<Run> => {
    const earlier = await storedRuns.query({ index: 'by_chat', equals: [chat.id], limit: 1 })
    if (earlier.items[0]) return earlier.items[0]
    const parent = { run_id: runId, call_id: callId, depth: depth + 1 }
    const content = [{ type: 'text' as const, text: task }]
    return (await posting.post({ userId, chatId: chat.id, content, parent, idempotencyKey: `delegate/${callId}` })).run
  }

  const cancel = async (runId: string): Promise<void> => {
    try {
      await runs.cancel(runId, { signal: AbortSignal.timeout(cancelWithinMs) })
    } catch (error) {
      logger.warn('A delegated run could not be ended.', { run_id: runId, error })
    }
  }

  /** The call was ended: its run has ended too, or stays where it is because the service stops. */
  const endWith = async (parentId: string, childId: string): Promise<void> => {
    await runs.ended(parentId)
    try {
      const parent = await storedRuns.get(parentId)
      if (!parent || isFinished(parent)) await cancel(childId)
    } catch (error) {
      logger.warn('It is not known whether a delegated run is still wanted.', { run_id: childId, error })
    }
  }

  const endUnwanted = async ({ id, parent }: Run): Promise<boolean> => {
    if (!parent) return false
    const wanting = await storedRuns.get(parent.run_id)
    if (wanting && !isFinished(wanting) && wanting.cancel_requested_at === null) return false
    await cancel(id)
    return true
  }

  const finalText = async (chatId: string, runId: string): Promise<string> => {
    const chat = await chats.get(chatId)
    if (!chat) return ''
    for await (const message of messagesAlong(database, chat.path, { order: 'descending', pageSize: 10 })) {
      if (message.role !== 'assistant' || message.run_id !== runId) continue
      return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    }
    return ''
  }

  /** The run once this process has nothing more to do with it. */
  const followed = async (agent: Agent, child: Run, watch: Watch, { signal, progress }: DelegatingCall): Promise<Run> => {
    void runs.ended(child.id).then(watch.end)
    for (;;) {
      const event = await watch.next(signal)
      if (event === 'ended') return (await storedRuns.get(child.id)) ?? { ...child, status: 'cancelled' }
      const message = progressOf(agent, event)
      if (message !== undefined) await progress({ message })
    }
  }

  return {
    endUnwanted,

    async endUnwantedWaiting() {
      let cursor: string | undefined
      do {
        const more = cursor === undefined ? {} : { cursor }
        const page = await storedRuns.query({ index: 'by_status', equals: ['waiting'], limit: 200, ...more })
        for (const run of page.items) await endUnwanted(run)
        cursor = page.nextCursor
      } while (cursor !== undefined)
    },

    async run(agent, task, call) {
      const { runId: parentId, signal } = call
      const chat = await chatFor(agent, task, call.callId)
      const watch = watchers.watch(chat.id)
      let child: Run | undefined
      try {
        child = await runFor(chat, task, call)
        const childId = child.id
        let run = await followed(agent, child, watch, call)
        while (!isFinished(run)) {
          // Another process had it, or the store failed it: it is looked at again here.
          await pause(clock, lookAgainMs, signal)
          runs.wake(run)
          run = await followed(agent, run, watch, call)
        }
        return { run, text: await finalText(chat.id, childId) }
      } catch (error) {
        if (child && signal.aborted) {
          if (isTimeout(signal.reason)) await cancel(child.id)
          else void endWith(parentId, child.id)
        }
        throw error
      } finally {
        watch.close()
      }
    },
  }
}

/** Waits, no longer than the signal. @throws its reason. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined
  let forget: Disposer = () => undefined
  try {
    await new Promise<void>((resolve) => {
      stop = resolve
      forget = clock.after(ms, resolve)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) resolve()
    })
  } finally {
    void forget()
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}

const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

/** What a person who watches the calling run is told of an event of the other one. */
function progressOf({ name }: Agent, { name: event, data }: WatchedEvent): string | undefined {
  switch (event) {
    case 'tool_call.started':
      return `${name}: ${typeof data['purpose'] === 'string' ? data['purpose'] : String(data['name'])}`
    case 'run.waiting':
      return `${name} waits for you.`
    case 'run.retrying':
      return `${name} tries its model again.`
    default:
      return undefined
  }
}
