import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { AnswerFallback } from '@agent-service/sdk/services/inference'
import { type Chat, chatCollection } from '../chats/chat.js'
import type { MadeFile } from '../chats/made-file.js'
import { type Attachment, type LeftOut, type Message, type MessageSender, type MessageStatus, messageCollection } from '../chats/message.js'
import type { Run } from './run.js'

/**
 * Adds a message at the end of the current branch of its run's chat, in the caller's transaction.
 */
export async function insertMessage(
  transaction: Transaction,
  input: {
    readonly id: string
    readonly run: Pick<Run, 'id' | 'chat_id' | 'user_id'>
    readonly role: Message['role']
    readonly sentBy?: MessageSender
    readonly status: MessageStatus
    readonly content: readonly ContentPart[]
    /** The origins of the first parts of `content`. */
    readonly attachments?: readonly Attachment[]
    /** What the calls of the results in `content` made or changed. */
    readonly madeFiles?: readonly MadeFile[]
    readonly now: string
    /** The model group that a person has chosen for the answer. */
    readonly model?: string
    readonly clientKey?: string
    readonly clientHash?: string
    /** Other members of the chat that change with it. */
    readonly chat?: Partial<Chat>
  },
): Promise<{ readonly message: Message; readonly chat: Chat }> {
  const chat = await transaction.get(chatCollection, input.run.chat_id)
  if (!chat) throw new Error(`The chat ${input.run.chat_id} of the run ${input.run.id} does not exist.`)
  const message: Message = {
    id: input.id,
    chat_id: chat.id,
    branch_id: chat.branch_id,
    user_id: input.run.user_id,
    run_id: input.run.id,
    role: input.role,
    ...(input.sentBy === undefined ? {} : { sent_by: input.sentBy }),
    status: input.status,
    content: input.content,
    ...(input.attachments && input.attachments.length > 0 ? { attachments: input.attachments } : {}),
    ...(input.madeFiles && input.madeFiles.length > 0 ? { made_files: input.madeFiles } : {}),
    ...(input.model === undefined ? {} : { model: input.model }),
    sequence: chat.message_count,
    created_at: input.now,
    ...(input.clientKey === undefined ? {} : { client_key: input.clientKey }),
    ...(input.clientHash === undefined ? {} : { client_hash: input.clientHash }),
  }
  const changed: Chat = { ...chat, message_count: chat.message_count + 1, updated_at: input.now, ...input.chat }
  transaction.insert(messageCollection, message)
  transaction.put(chatCollection, changed)
  return { message, chat: changed }
}

/** Stores the final content of an open message. */
export async function endMessage(
  transaction: Transaction,
  id: string,
  status: Exclude<MessageStatus, 'open'>,
  content: readonly ContentPart[],
  { leftOut = [], fallback }: { readonly leftOut?: readonly LeftOut[]; readonly fallback?: AnswerFallback } = {},
): Promise<Message> {
  const message = await transaction.get(messageCollection, id)
  if (!message) throw new Error(`The message ${id} does not exist.`)
  const changed: Message = {
    ...{ ...message, status, content },
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(fallback && { fallback }),
  }
  transaction.put(messageCollection, changed)
  return changed
}

/** What an answer that broke off had said by then, and which model said it. */
export interface BrokenAnswer {
  readonly partial: readonly ContentPart[]
  /** Absent: the wanted one. */
  readonly fallback?: AnswerFallback | undefined
}

/** Stores an answer that broke off. */
export const breakMessage = (transaction: Transaction, id: string, { partial, fallback }: BrokenAnswer): Promise<Message> =>
  partial.length === 0
    ? endMessage(transaction, id, 'failed', partial)
    : endMessage(transaction, id, 'partial', partial, fallback ? { fallback } : {})
