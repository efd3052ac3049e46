import type { JsonObject } from '@agent-service/sdk'
import { createInTurns } from '@agent-service/sdk/async'
import type { ChannelHost, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import { shortOf } from '../incoming/threads.js'

/** How far a mailbox was read. UIDs grow, as long as its UIDVALIDITY is the same (RFC 9051, 2.3.1.1). */
export interface Cursor {
  readonly uidValidity: string
  /** The last mail that is stored. */
  readonly uid: number
  /** When the newest of them came, in milliseconds. */
  readonly at: number
  /** While a mailbox that was made anew is read: up to this UID only mails that were written since then count. */
  readonly again?: { readonly until: number; readonly since: number }
  /** What could not be read. */
  readonly failed?: FailedMail
}

/** A mail that could not be read. Up to the UID `until` mails are read one by one, to find out which it is. */
export interface FailedMail {
  readonly uid: number
  readonly until: number
  /** How often it was tried alone or as the first of several, and when first. */
  readonly count: number
  readonly at: number
}

/** What an answer in a thread needs. */
export interface Thread {
  readonly subject: string
  /** The Message-IDs of its first and of its last mail. */
  readonly root?: string
  readonly last?: string
}

/** What a connection knows from one session to the next. Changes are stored one after the other. */
export interface Memory {
  readonly cursor: Cursor | undefined
  thread(conversationId: string): Thread | undefined
  wasSent(deliveryId: string): boolean
  /** Stores messages with the position behind them, in one step. */
  receive(messages: readonly ChannelMessage[], cursor: Cursor, threads?: ReadonlyMap<string, Thread>): Promise<void>
  /** Stores that a delivery was sent as this mail. */
  sent(deliveryId: string, conversationId: string, thread: Thread): Promise<void>
}

interface State {
  readonly cursor?: Cursor
  /** By the short names of conversations, the latest last. */
  readonly threads: readonly (readonly [string, Thread])[]
  /** Short names of deliveries, the latest last. */
  readonly sent: readonly string[]
}

/** The contract has room for 64 KiB. */
const maxBytes = 56_000
const maxSent = 300

/** Reads the stored state. What is not in its form counts as not there. */
export async function openMemory(host: ChannelHost): Promise<Memory> {
  let state = stateOf(await host.state())
  const turns = createInTurns()
  const change = (messages: readonly ChannelMessage[], next: (present: State) => State): Promise<void> =>
    turns.run('state', async () => {
      const changed = fitting(next(state))
      await host.receive({ messages, state: changed as unknown as JsonObject })
      state = changed
    })
  return {
    get cursor() {
      return state.cursor
    },
    thread: (conversationId) => state.threads.find(([name]) => name === shortOf(conversationId))?.[1],
    wasSent: (deliveryId) => state.sent.includes(shortOf(deliveryId)),
    receive: (messages, cursor, threads = new Map()) =>
      change(messages, (present) => ({ ...present, cursor, threads: withThreads(present.threads, [...threads]) })),
    sent: (deliveryId, conversationId, thread) =>
      change([], (present) => ({
        ...present,
        threads: withThreads(present.threads, [[conversationId, thread]]),
        sent: [...present.sent, shortOf(deliveryId)].slice(-maxSent),
      })),
  }
}

function withThreads(present: State['threads'], changes: readonly (readonly [string, Thread])[]): State['threads'] {
  const changed = new Map(changes.map(([id, thread]) => [shortOf(id), thread]))
  return [...present.filter(([name]) => !changed.has(name)), ...changed]
}

/** The same with as many of its latest threads as there is room for. */
function fitting(state: State): State {
  let { threads } = state
  while (threads.length > 0 && Buffer.byteLength(JSON.stringify({ ...state, threads })) > maxBytes)
    threads = threads.slice(Math.ceil(threads.length / 20))
  return { ...state, threads }
}

function stateOf(stored: JsonObject | undefined): State {
  const { cursor, threads, sent } = (stored ?? {}) as unknown as Partial<State>
  return { ...(cursor !== undefined && { cursor }), threads: threads ?? [], sent: sent ?? [] }
}
