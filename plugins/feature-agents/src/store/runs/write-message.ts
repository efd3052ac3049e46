import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { AnswerFallback } from '@agent-service/sdk/services/inference'
import { type Branch, branchCollection } from '../chats/branch.js'
import { type Chat, chatCollection } from '../chats/chat.js'
import type { MadeFile } from '../chats/made-file.js'
import { type Attachment, type LeftOut, type Message, type MessageSender, type MessageStatus, messageCollection } from '../chats/message.js'
import type { Run } from './run.js'

/**
 * Adds a message at the end of the branch of its run, in the caller's transaction. The other answer of
 * a comparison has a branch that the chat does not show: the chat stays as it is then.
 */
export async function insertMessage(
  transaction: Transaction,
  input: {
    readonly id: string
    readonly run: Pick<Run, 'id' | 'chat_id' | 'branch_id' | 'user_id'>
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
    /** The other run that answers it. */
    readonly comparedRunId?: string
    /** Other members of the chat that change with it. */
    readonly chat?: Partial<Chat>
  },
): Promise<{ readonly message: Message; readonly chat: Chat }> {
  const chat = await transaction.get(chatCollection, input.run.chat_id)
  if (!chat) throw new Error(`The chat ${input.run.chat_id} of the run ${input.run.id} does not exist.`)
  const beside = await branchBeside(transaction, chat, input.run)
  const message: Message = {
    id: input.id,
    chat_id: chat.id,
    branch_id: input.run.branch_id,
    user_id: input.run.user_id,
    run_id: input.run.id,
    role: input.role,
    ...(input.sentBy === undefined ? {} : { sent_by: input.sentBy }),
    status: input.status,
    content: input.content,
    ...(input.attachments && input.attachments.length > 0 ? { attachments: input.attachments } : {}),
    ...(input.madeFiles && input.madeFiles.length > 0 ? { made_files: input.madeFiles } : {}),
    ...(input.model === undefined ? {} : { model: input.model }),
    ...(input.comparedRunId === undefined ? {} : { compared_run_id: input.comparedRunId }),
    sequence: beside?.length ?? chat.message_count,
    created_at: input.now,
    ...(input.clientKey === undefined ? {} : { client_key: input.clientKey }),
    ...(input.clientHash === undefined ? {} : { client_hash: input.clientHash }),
  }
  transaction.insert(messageCollection, message)
  if (beside) {
    transaction.put(branchCollection, { ...beside, length: beside.length + 1 })
    return { message, chat }
  }
  const changed: Chat = { ...chat, message_count: chat.message_count + 1, updated_at: input.now, ...input.chat }
  transaction.put(chatCollection, changed)
  return { message, chat: changed }
}

/** The branch in which a run writes, if its chat shows another one. */
async function branchBeside(
  transaction: Transaction,
  chat: Chat,
  { id, branch_id: branchId }: Pick<Run, 'id' | 'branch_id'>,
): Promise<Branch | undefined> {
  if (branchId === chat.branch_id) return undefined
  const branch = await transaction.get(branchCollection, branchId)
  if (!branch) throw new Error(`The branch ${branchId} of the run ${id} does not exist.`)
  return branch
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
