import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type ConversationMessage,
  type ConverseRequest,
  conversationInvalidError,
  conversationUnknownError,
} from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type PolicyService, requireOperation } from '@agent-service/sdk/services/policy'
import { v7 as uuidv7 } from 'uuid'
import { messageTooLongError, runInProgressError } from '../common/errors.js'
import { wellFormed } from '../common/well-formed.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import type { Agent } from '../store/agents/agent.js'
import { ownerAt } from '../store/chats/branch.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { type Chat, chatCollection, newChat, titleFrom } from '../store/chats/chat.js'
import { type Conversation, conversationCollection, conversationLifeMs } from '../store/chats/conversation.js'
import { runCollection } from '../store/runs/run.js'
import { emptyKey, instructionsOf, keyBehind, nameKey } from './conversation-key.js'
import { storeChatWithEarlier } from './earlier-messages.js'

/** How many expired records each remembered turn deletes at most. */
const maxSwept = 20
const maxMessages = 5_000

/** A part of a person's message. */
type PersonPart = TextPart | ImagePart | FilePart

/** A turn as its request has it, with the key of its conversation. */
export interface ReadTurn {
  readonly after: string | undefined
  /** The messages before the new ones, without instructions. */
  readonly earlier: readonly ConversationMessage[]
  /** The parts of the new messages. */
  readonly content: readonly PersonPart[]
  /** The key before the new messages. */
  readonly before: string
  /** The key of everything up to and including the new messages. */
  readonly key: string
  readonly instructions: ReturnType<typeof instructionsOf>
  /** Whether they are not those of the turn before, which `after` names. */
  readonly instructionsChanged: boolean
  /** A hash of the instructions that apply from this turn on. */
  readonly lastInstructions: string
}

/** Where a turn of a conversation goes. */
export interface TurnDestination {
  readonly chatId: string
  /** The message that is stored. */
  readonly content: readonly PersonPart[]
  /** The message of a person that is already there: the turn becomes a branch beside it. */
  readonly replaces?: string
  /** The key of everything up to and including the new message. */
  readonly key: string
  readonly instructions: string
  /** Whether the chat was made for this turn. */
  readonly fresh: boolean
  /** Lets other turns find this chat from now on. */
  release(): void
}

/** Finds the chats of conversations that a client keeps. */
export interface Conversations {
  /** Reads a turn. @throws `conversation_invalid`, `conversation_not_found`. */
  read(agent: Agent, request: ConverseRequest): Promise<ReadTurn>
  /**
   * The destination of a turn: the chat that has everything before it, or a new one that begins
   * with that. No other turn gets the same chat before {@link TurnDestination.release}. @throws
   * `forbidden` if the turn would begin a chat and the user may not, `conversation_invalid`,
   * `conversation_not_found`, `message_too_long`.
   */
  open(agent: Agent, turn: ReadTurn, signal: AbortSignal): Promise<TurnDestination>
  /** Remembers the end of a turn. */
  remember(
    agent: Agent,
    place: Pick<TurnDestination, 'chatId' | 'key' | 'instructions'>,
    end: { readonly text: string; readonly branchId: string; readonly sequence: number; readonly as?: string | undefined },
  ): Promise<void>
}

export function createConversations(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): Conversations {
  const { database, clock, policies } = dependencies
  const known = database.collection(conversationCollection)
  const chats = database.collection(chatCollection)
  /** Chats to which a turn is being written. */
  const taken = new Set<string>()

  const find = async (id: string, agent: Agent): Promise<{ readonly conversation: Conversation; readonly chat: Chat } | undefined> => {
    const conversation = await known.get(id)
    if (!conversation || conversation.expires_at <= nowText(0)) return undefined
    const chat = await chats.get(conversation.chat_id)
    return chat?.user_id === agent.user_id && chat.agent_id === agent.id && !chat.deleting ? { conversation, chat } : undefined
  }

  const nowText = (later: number): string => new Date(clock.now() + later).toISOString()

  /** How the chat continues from there; undefined if it cannot without disturbing its run. */
  const continuation = async (chat: Chat, { branch_id, sequence }: Conversation): Promise<{ readonly replaces?: string } | undefined> => {
    if (taken.has(chat.id)) return undefined
    const onPath = sequence <= chat.message_count && ownerAt(chat.path, sequence - 1) === branch_id
    if (!onPath) return undefined
    if (chat.active_run_id !== null) {
      const run = await database.collection(runCollection).get(chat.active_run_id)
      // A run that waits for a person takes this message as input.
      return run?.status === 'waiting' && sequence === chat.message_count ? {} : undefined
    }
    if (sequence === chat.message_count) return {}
    for await (const message of messagesAlong(database, chat.path, { order: 'ascending', from: sequence, to: sequence + 1, pageSize: 1 })) {
      if (message.role === 'user') return { replaces: message.id }
    }
    return undefined
  }

  const placeIn = (chat: Chat): Pick<TurnDestination, 'chatId' | 'release'> => {
    taken.add(chat.id)
    return { chatId: chat.id, release: () => void taken.delete(chat.id) }
  }

  const begin = async (agent: Agent, earlier: readonly ConversationMessage[], title: string, signal: AbortSignal): Promise<Chat> => {
    await requireOperation(policies, { userId: agent.user_id, operation: 'createChat', signal })
    const now = nowText(0)
    const chat = newChat({ id: uuidv7(), user_id: agent.user_id, agent_id: agent.id, title, titling: 'open' }, now)
    return storeChatWithEarlier(database, chat, earlier, { now, signal })
  }

  return {
    async read(agent, { messages, after }) {
      if (messages.length > maxMessages) throw conversationInvalidError.create({ reason: `There are more than ${maxMessages} messages.` })
      const owner = { userId: agent.user_id, agentId: agent.id }
      const instructions = instructionsOf(messages)
      const said = messages.filter(({ role }) => role !== 'system').map(storable)
      const firstNew = said.findLastIndex(({ role }) => role !== 'user') + 1
      const [earlier, added] = [said.slice(0, firstNew), said.slice(firstNew)]
      const content = added.flatMap((message) => [...message.content])
      if (content.length === 0)
        throw conversationInvalidError.create({ reason: 'The last message must be a user message that is not empty.' })
      if (after !== undefined && earlier.length > 0)
        throw conversationInvalidError.create({ reason: 'Only user messages can follow an earlier answer.' })
      const turn = { after, earlier, content, instructions }
      if (after === undefined) {
        const before = await keyBehind(emptyKey({ ...owner, instructions: instructions.hash }), earlier)
        return { ...turn, before, key: await keyBehind(before, added), instructionsChanged: false, lastInstructions: instructions.hash }
      }
      const before = nameKey({ ...owner, name: after })
      const earlierTurn = (await find(before, agent))?.conversation
      if (!earlierTurn) throw conversationUnknownError.create({ name: after })
      const instructionsChanged = instructions.hash !== '' && instructions.hash !== earlierTurn.instructions
      const key = await keyBehind(
        earlierTurn.key,
        messages.filter(({ role }) => instructionsChanged || role !== 'system'),
      )
      const lastInstructions = instructionsChanged ? instructions.hash : earlierTurn.instructions
      return { ...turn, before, key, instructionsChanged, lastInstructions }
    },

    async open(agent, turn, signal) {
      const { after, earlier, content, before, key, instructions, instructionsChanged, lastInstructions } = turn
      const title = titleFrom(content.map((part) => (part.type === 'text' ? part.text : '')).join(' '))
      if (after !== undefined) {
        const written = checked(instructionsChanged ? withInstructions(instructions.text, content) : content)
        // Read again: the chat may have changed.
        const found = await find(before, agent)
        if (!found) throw conversationUnknownError.create({ name: after })
        const { chat } = found
        const way = await continuation(chat, found.conversation)
        if (!way || taken.has(chat.id)) {
          if (chat.active_run_id !== null || taken.has(chat.id)) throw runInProgressError.create({ runId: chat.active_run_id ?? '' })
          throw conversationInvalidError.create({
            reason: `The chat shows another branch than the one of “${after}”. Send the whole conversation.`,
          })
        }
        return { ...placeIn(chat), ...way, key, fresh: false, content: written, instructions: lastInstructions }
      }

      const place = { key, instructions: lastInstructions }
      const written = checked(content)
      const found = earlier.length > 0 ? await find(before, agent) : undefined
      const way = found && (await continuation(found.chat, found.conversation))
      if (found && way && !taken.has(found.chat.id)) return { ...place, ...placeIn(found.chat), ...way, fresh: false, content: written }
      // The instructions appear once, in the user's first message.
      const firstOfUser = earlier.findIndex(({ role }) => role === 'user')
      const whole = firstOfUser === -1 ? checked(withInstructions(instructions.text, content)) : written
      const imported = earlier.map((message, index) =>
        index === firstOfUser ? { ...message, content: withInstructions(instructions.text, message.content) } : message,
      ) as readonly ConversationMessage[]
      for (const message of imported) checked(message.content)
      const chat = await begin(agent, imported, title, signal)
      return { ...place, ...placeIn(chat), fresh: true, content: whole }
    },

    async remember(agent, { chatId, key, instructions }, { text, branchId, sequence, as }) {
      const behind = await keyBehind(key, [{ role: 'assistant', content: [{ type: 'text', text }] }])
      const ids = [behind, ...(as === undefined ? [] : [nameKey({ userId: agent.user_id, agentId: agent.id, name: as })])]
      const expired = await known.query({ index: 'by_expiry', to: nowText(0), limit: maxSwept })
      await database.transaction(async (transaction) => {
        for (const { id } of expired.items) transaction.delete(conversationCollection, id)
        // The chat may have been deleted meanwhile.
        if (!(await transaction.get(chatCollection, chatId))) return
        for (const id of ids) {
          transaction.put(conversationCollection, {
            ...{ id, user_id: agent.user_id, chat_id: chatId, branch_id: branchId, sequence },
            ...{ key: behind, instructions, expires_at: nowText(conversationLifeMs) },
          })
        }
      })
    },
  }
}

const storable = (message: ConversationMessage): ConversationMessage =>
  ({
    role: message.role,
    content: message.content
      .map((part) => (part.type === 'text' ? { type: 'text', text: wellFormed(part.text) } : part))
      .filter((part) => part.type !== 'text' || part.text !== ''),
  }) as ConversationMessage

/**
 * Marked, so that neither the agent nor a person who reads the chat takes them for the operator's
 * or the person's words.
 */
const withInstructions = (text: string, content: readonly PersonPart[]): readonly PersonPart[] =>
  text === ''
    ? content
    : [
        {
          type: 'text',
          text: `[Instructions of the program that sends this conversation]\n${wellFormed(text)}\n[End of these instructions]`,
        },
        ...content,
      ]

/** @throws `message_too_long`. */
function checked(content: readonly PersonPart[]): readonly PersonPart[] {
  const bytes = Buffer.byteLength(JSON.stringify(content))
  if (bytes > maxMessageBytes) throw messageTooLongError.create({ bytes, limit: maxMessageBytes })
  return content
}
