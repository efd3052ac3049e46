import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { notReplaceableError, runInProgressError } from '../common/errors.js'
import { ownUndeleted } from '../common/own-document.js'
import { restrictAgent } from '../runs/session/restrict-agent.js'
import { agentCollection } from '../store/agents/agent.js'
import { ownerAt } from '../store/chats/branch.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { type Chat, chatCollection } from '../store/chats/chat.js'
import { forkChat } from '../store/chats/fork-chat.js'
import { type Attachment, type Message, messageCollection } from '../store/chats/message.js'
import type { Run } from '../store/runs/run.js'
import { beginRun } from './begin-run.js'
import { type ChatChoice, withChoice } from './chat-choice.js'
import type { PostingDependencies } from './post.js'

/** A person's message to answer again. */
export interface RegenerateInput {
  readonly userId: string
  readonly chatId: string
  /**
   * The message, or one after it in the branch that is shown. Default: the newest message of a
   * person.
   */
  readonly messageId?: string
  /**
   * Who answers from now on. Without a model group, the one that the message was sent with answers,
   * else the chat's, or the agent's.
   */
  readonly choice?: ChatChoice
}

/** Begins a run that answers a message again, in a new branch. */
export async function regenerateAnswer(
  dependencies: PostingDependencies,
  { userId, chatId, messageId, choice = {} }: RegenerateInput,
  timezone: string,
): Promise<Run> {
  const { database, clock, runs } = dependencies
  const release = runs.reserve(userId)
  try {
    const seen = ownUndeleted('chat', await database.collection(chatCollection).get(chatId), userId)
    const asked = await questionBefore(database, seen, messageId)
    const attachments = await placedFor(dependencies, seen, { asked, agentId: choice.agentId ?? seen.agent_id })
    const fresh = await database.transaction(async (transaction) => {
      const stored = ownUndeleted('chat', await transaction.get(chatCollection, chatId), userId)
      const chat = await withChoice(transaction, stored, choice)
      if (chat.active_run_id !== null) throw runInProgressError.create({ runId: chat.active_run_id })
      if (!isOnBranch(chat, asked)) throw notReplaceableError.create({})
      const now = new Date(clock.now()).toISOString()
      if (attachments) await storePlaces(transaction, asked.id, attachments)
      const forked = await forkChat(transaction, chat, asked.sequence + 1, now)
      const model = choice.model === undefined ? asked.model : (choice.model ?? undefined)
      return (await beginRun(dependencies, transaction, forked, { timezone, now, ...(model === undefined ? {} : { model }) })).fresh
    })
    runs.begin(fresh)
    return fresh.run
  } finally {
    release()
  }
}

/** The files of a message if the agent that answers it again got some of them; they lie in its workspace before it begins. */
async function placedFor(
  { database, placeAgain }: PostingDependencies,
  chat: Chat,
  { asked, agentId }: { readonly asked: Message; readonly agentId: string },
): Promise<readonly Attachment[] | undefined> {
  const { attachments = [] } = asked
  if (!placeAgain || attachments.length === 0) return undefined
  const agent = await database.collection(agentCollection).get(agentId)
  if (agent?.user_id !== asked.user_id) return undefined
  const placed = await placeAgain(asked.user_id, asked, restrictAgent(agent, { terms: null, guests: chat.guests, reports_to: null }))
  // A message with its files is large: it is not written again for nothing.
  return placed.some((each, index) => each !== attachments[index]) ? placed : undefined
}

/** Another answer may have begun meanwhile, and placed the files for its own agent: those places are kept. */
async function storePlaces(transaction: Transaction, messageId: string, placed: readonly Attachment[]): Promise<void> {
  const stored = await transaction.get(messageCollection, messageId)
  if (!stored) return
  const { attachments = [] } = stored
  const all = attachments.map((known, index): Attachment => {
    const paths = new Set([...(known.workspace_paths ?? []), ...(placed[index]?.workspace_paths ?? [])])
    return paths.size === 0 ? known : { ...known, workspace_paths: [...paths] }
  })
  transaction.put(messageCollection, { ...stored, attachments: all })
}

/** Whether a message is on the branch that its chat shows. */
export const isOnBranch = (chat: Chat, message: Message): boolean =>
  message.sequence < chat.message_count && ownerAt(chat.path, message.sequence) === message.branch_id

/** The newest message of a person at or before this one, or of the whole branch. */
async function questionBefore(database: Database, chat: Chat, messageId: string | undefined): Promise<Message> {
  let before: number | undefined
  if (messageId !== undefined) {
    const named = await database.collection(messageCollection).get(messageId)
    if (named?.chat_id !== chat.id) throw notFoundError.create({ what: 'message' })
    if (!isOnBranch(chat, named)) throw notReplaceableError.create({})
    before = named.sequence + 1
  }
  for await (const message of messagesAlong(database, chat.path, {
    order: 'descending',
    ...(before === undefined ? {} : { to: before }),
  })) {
    if (message.role === 'user') return message
  }
  throw notReplaceableError.create({})
}
