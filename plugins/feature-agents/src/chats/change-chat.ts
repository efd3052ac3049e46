import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { hiddenChatError, runInProgressError } from '../common/errors.js'
import { ownUndeleted } from '../common/own-document.js'
import { wellFormed } from '../common/well-formed.js'
import { branchCollection, onBranch, ownerAt } from '../store/chats/branch.js'
import { type Chat, chatCollection, titleFrom } from '../store/chats/chat.js'
import { leftBranch } from '../store/chats/fork-chat.js'
import { messageCollection } from '../store/chats/message.js'
import { ownSpace } from '../store/chats/own-space.js'
import { temporaryChatCollection } from '../store/chats/temporary-chat.js'
import { titleTaskCollection } from '../store/chats/title-task.js'
import { runCollection } from '../store/runs/run.js'
import { storeTags } from '../store/tags/store-tags.js'

/** The members to change; absent members stay as they are. */
export interface ChatChange {
  /** Null: the title made from the first message, or none while there is no message. */
  readonly title?: string | null | undefined
  readonly agentId?: string | undefined
  /** The branch to show and continue. */
  readonly branchId?: string | undefined
  readonly archived?: boolean | undefined
  /** Null: none. */
  readonly spaceId?: string | null | undefined
  readonly compaction?: boolean | undefined
  /** The model group that answers; null: the agent's. */
  readonly model?: string | null | undefined
  readonly pinned?: boolean | undefined
  /** False: a temporary chat becomes one like any other. */
  readonly temporary?: false | undefined
  /** All tags, each in its normal form. */
  readonly tags?: readonly string[] | undefined
}

/**
 * Changes a chat of a user. @throws `not_found` for the chat, the branch or the space,
 * `run_in_progress` for a switch during a run, `chat_hidden`.
 */
export async function changeChat(
  transaction: Transaction,
  place: { readonly chatId: string; readonly userId: string; readonly now: string },
  change: ChatChange,
): Promise<Chat> {
  const existing = ownUndeleted('chat', await transaction.get(chatCollection, place.chatId), place.userId)
  const stored = change.temporary === false ? keep(transaction, existing) : existing
  const chat = change.branchId === undefined ? stored : await switchBranch(transaction, stored, change.branchId)
  const changed: Chat = {
    ...chat,
    title: change.title === undefined ? chat.title : change.title === null ? await madeTitle(transaction, chat) : wellFormed(change.title),
    agent_id: change.agentId ?? chat.agent_id,
    listing: listed(chat, change.archived),
    space_id: change.spaceId === undefined ? chat.space_id : await ownSpace(transaction, change.spaceId, place.userId),
    compaction: change.compaction ?? chat.compaction,
    model: change.model === undefined ? chat.model : change.model,
    pinned: change.pinned ?? chat.pinned,
    tags: change.tags ?? chat.tags,
    titling: titlingOf(chat, change.title),
    updated_at: place.now,
  }
  if (chat.listing === 'hidden' && (change.pinned !== undefined || change.tags !== undefined)) throw hiddenChatError.create({})
  // A model that is being asked for a title comes too late.
  if (change.title !== undefined) transaction.delete(titleTaskCollection, chat.id)
  transaction.put(chatCollection, changed)
  await storeTags(transaction, stored, changed)
  return changed
}

/** Makes a temporary chat one like any other: after its next answer a model makes a title. */
function keep(transaction: Transaction, chat: Chat): Chat {
  if (!chat.temporary) return chat
  transaction.delete(temporaryChatCollection, chat.id)
  const { temporary: _, without_memory: __, ...members } = chat
  return { ...members, listing: 'current' }
}

/**
 * The chat on another of its branches. A comparison ends with it: the person has chosen. Both answers may still be
 * written then, since each run writes in its own branch: only which of them is shown changes.
 */
async function switchBranch(transaction: Transaction, chat: Chat, branchId: string): Promise<Chat> {
  const { active_run_id: active, beside_run_id: beside = null, comparison = null } = chat
  if (branchId === chat.branch_id) return comparison ? { ...chat, comparison: null } : chat
  const branch = await transaction.get(branchCollection, branchId)
  if (branch?.chat_id !== chat.id) throw notFoundError.create({ what: 'branch' })
  const isCompared = comparison?.answers.some(({ branch_id }) => branch_id === branchId) === true
  if (active !== null && !isCompared) throw runInProgressError.create({ runId: active })
  transaction.put(branchCollection, await leftBranch(transaction, chat))
  const goesOn = beside !== null && (await transaction.get(runCollection, beside))?.branch_id === branchId
  return {
    ...onBranch(chat, branch),
    active_run_id: goesOn ? beside : null,
    beside_run_id: goesOn ? active : (active ?? beside),
    comparison: null,
  }
}

/** Made from the first message of the branch that is shown. */
async function madeTitle(transaction: Transaction, chat: Chat): Promise<string | null> {
  const first = await transaction.find(messageCollection, 'by_branch', [ownerAt(chat.path, 0) ?? chat.id, 0])
  return first ? titleFrom(first.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')) : null
}

function listed({ listing }: Chat, archived: boolean | undefined): Chat['listing'] {
  if (archived === undefined) return listing
  if (listing === 'hidden') throw hiddenChatError.create({})
  return archived ? 'archived' : 'current'
}

/** A title that a person sets stays; one that they remove from an empty chat is made again. */
function titlingOf(chat: Chat, title: string | null | undefined): Chat['titling'] {
  if (title === undefined) return chat.titling
  return title === null && chat.message_count === 0 ? 'open' : title === null ? chat.titling : 'closed'
}
