import type { Agents } from '@agent-service/sdk/services/agents'
import type { ChatMessage, ChatMessages, Chats } from '@agent-service/sdk/services/chats'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import { forgetChat } from '../chats/forget-chat.js'
import { maxPassMessages } from '../chats/read-window.js'
import { documentId, idOf } from '../common/ids.js'
import { type ChatCursor, type ConsolidationPass, cursorCollection, passCollection } from '../store/pass-records.js'
import type { UserMemories } from '../store/user-memories.js'
import { deleteResults } from './finished-passes.js'

/** What passes are found with. */
export interface ClaimDependencies {
  readonly database: Database
  readonly memories: UserMemories
  readonly chats: Chats
  readonly agents: Agents
  readonly clock: Clock
  readonly settings: MemorySettings
  /** The model group; undefined: nothing can be learnt. */
  group(): string | undefined
}

/** What a look at a user has found. */
export interface Claimed {
  /** The pass to run now. */
  readonly pass?: ConsolidationPass
  /** Whether something was done, so that another look may find more. */
  readonly progressed: boolean
}

/** How many chats one look goes through. */
const maxLooked = 20

/**
 * Finds the next pass of a user: the one that is open, else one over the chat that has rested
 * longest. Its messages are fixed here. Chats that are excluded, hidden, or of an agent without memory are
 * left alone; what depends only on a deleted chat is forgotten.
 */
export async function claimPass(
  dependencies: ClaimDependencies,
  userId: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<Claimed> {
  const open = await dependencies.database.collection(passCollection).query({ index: 'by_open', equals: [userId, true], limit: 1 })
  const [pass] = open.items
  if (pass && dependencies.group() !== undefined) return continued(dependencies, pass)
  const query = { index: 'by_pending', equals: [userId, true], limit: maxLooked }
  const pending = await dependencies.database.collection(cursorCollection).query(query)
  let progressed = false
  for (const cursor of pending.items) {
    signal.throwIfAborted()
    const looked = await lookAt(dependencies, cursor, signal)
    if (looked === 'waits') continue
    progressed = true
    if (looked !== 'settled') return { pass: looked, progressed }
  }
  return { progressed }
}

/** An open pass goes on, unless it waits for its next attempt; nothing else of the user is read meanwhile. */
async function continued({ database, clock }: ClaimDependencies, pass: ConsolidationPass): Promise<Claimed> {
  if (pass.state === 'running') return { pass, progressed: true }
  if (pass.next_attempt_at !== null && Date.parse(pass.next_attempt_at) > clock.now()) return { progressed: false }
  return database.transaction(async (transaction): Promise<Claimed> => {
    const current = await transaction.get(passCollection, pass.id)
    if (current?.state !== 'waiting') return { progressed: true }
    const running: ConsolidationPass = { ...current, state: 'running', next_attempt_at: null }
    transaction.put(passCollection, running)
    return { pass: running, progressed: true }
  })
}

async function lookAt(
  dependencies: ClaimDependencies,
  cursor: ChatCursor,
  signal: AbortSignal,
): Promise<ConsolidationPass | 'settled' | 'waits'> {
  const { chats, agents, clock, settings } = dependencies
  const { user_id: userId, chat_id: chatId } = cursor
  const idle = clock.now() - Date.parse(cursor.last_activity_at) >= settings.pkm_consolidate_idle_secs * 1_000
  if (!idle && !cursor.deleted) return 'waits'
  const chat = cursor.deleted ? undefined : await chats.messages({ userId, chatId, from: 0, limit: 0 }, { signal })
  if (!chat) {
    await forgetChat(dependencies.memories, { userId, chatId, at: new Date(clock.now()).toISOString() }, { signal })
    await deleteResults(dependencies, { userId, chatId }, { signal })
    await changeCursor(dependencies, cursor, undefined)
    return 'settled'
  }
  const agent = await agents.details(userId, chat.agentId)
  if (cursor.excluded || chat.hidden || chat.guests || agent?.memory.enabled === false) {
    await changeCursor(dependencies, cursor, { ...cursor, pending: false })
    return 'settled'
  }
  if (chat.active || dependencies.group() === undefined) return 'waits'
  return beginPass(dependencies, cursor, chat, signal)
}

async function beginPass(
  dependencies: ClaimDependencies,
  cursor: ChatCursor,
  chat: ChatMessages,
  signal: AbortSignal,
): Promise<ConsolidationPass | 'settled'> {
  const { chats, clock, database } = dependencies
  const { user_id: userId, chat_id: chatId } = cursor
  const read = async (from: number, limit: number): Promise<readonly ChatMessage[]> =>
    (await chats.messages({ userId, chatId, from, limit }, { signal }))?.items ?? []
  const from = await firstUnread(cursor, read)
  const end = Math.min(chat.messageCount, from + maxPassMessages)
  const last = end <= from ? undefined : (await read(Math.max(from, end - lastRead), Math.min(lastRead, end - from))).at(-1)
  if (!last) {
    await changeCursor(dependencies, cursor, { ...cursor, pending: false, through: from })
    return 'settled'
  }
  const passId = idOf(userId, 'pass', chatId, from, last.sequence, last.id, cursor.learn_after ?? '')
  const pass: ConsolidationPass = {
    ...{ id: documentId(userId, passId), user_id: userId, pass_id: passId, chat_id: chatId, agent_id: chat.agentId },
    scope: chat.spaceId === null ? { kind: 'user' } : { kind: 'space', spaceId: chat.spaceId },
    ...{ from, to: last.sequence + 1, last_message_id: last.id, at: last.at, learn_after: cursor.learn_after },
    ...{ state: 'running', open: true, stage: 'extract', failures: 0, resets: 0, next_attempt_at: null, error: null, outcome: null },
    ...{ started_at: new Date(clock.now()).toISOString(), finished_at: null },
  }
  const isBegun = await database.transaction(async (transaction) => {
    const current = await transaction.get(cursorCollection, cursor.id)
    if (JSON.stringify(current) !== JSON.stringify(cursor)) return false
    const known = await transaction.get(passCollection, pass.id)
    if (known?.state === 'abandoned' || known?.state === 'failed') {
      // It has read these messages as often as it may: only a person opens it again.
      transaction.put(cursorCollection, { ...cursor, pending: false })
      return false
    }
    // A chat whose shown branch has changed is read again from there.
    if (from < cursor.through) transaction.put(cursorCollection, { ...cursor, through: from })
    transaction.put(passCollection, pass)
    return true
  })
  return isBegun ? pass : 'settled'
}

/** How many messages are read to find the last one that is complete. */
const lastRead = 50

/** Where reading goes on: behind the last message that was read, in the branch that is shown now. */
async function firstUnread(
  { through, marks }: ChatCursor,
  read: (from: number, limit: number) => Promise<readonly ChatMessage[]>,
): Promise<number> {
  if (through === 0) return 0
  for (const { sequence, message_id: messageId } of [...marks].reverse()) {
    const [message] = await read(sequence, 1)
    if (message?.id === messageId) return sequence + 1
  }
  return 0
}

/** Changes a cursor, or deletes it, unless it has changed meanwhile: then the next look decides. */
const changeCursor = ({ database }: ClaimDependencies, before: ChatCursor, after: ChatCursor | undefined): Promise<void> =>
  database.transaction(async (transaction) => {
    const current = await transaction.get(cursorCollection, before.id)
    if (JSON.stringify(current) !== JSON.stringify(before)) return
    if (after) transaction.put(cursorCollection, after)
    else transaction.delete(cursorCollection, before.id)
  })
