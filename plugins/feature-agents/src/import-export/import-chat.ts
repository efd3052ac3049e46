import type { JsonValue, Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type CollectionDefinition,
  type Database,
  documentsOf,
  type StoredObject,
  type Transaction,
} from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { v7 as uuidv7 } from 'uuid'
import { deleteByIndex } from '../common/delete-by-index.js'
import { importInProgressError } from '../common/errors.js'
import { inTurn } from '../common/heavy-work.js'
import { createKeyedLock } from '../common/keyed-lock.js'
import { wellFormed } from '../common/well-formed.js'
import type { ChatParts, OmittedPart } from '../points/parts/chat-parts.js'
import { type Branch, branchCollection, forkedPath } from '../store/chats/branch.js'
import { type Chat, chatCollection, newChat, presentChat } from '../store/chats/chat.js'
import { importCollection } from '../store/chats/import-record.js'
import type { MadeFile } from '../store/chats/made-file.js'
import { type Attachment, type Message, type MessageStatus, messageCollection } from '../store/chats/message.js'
import { type Summary, summaryCollection } from '../store/chats/summary.js'
import { storeTags } from '../store/tags/store-tags.js'
import { normalTags } from '../store/tags/tag.js'
import type { ChatDocument, MessageInDocument } from './chat-document.js'
import { type BranchRange, checkDocument } from './check-document.js'
import { importedContent } from './imported-content.js'

/** The most documents of one transaction, and the most bytes unless one document alone has more. */
const maxDocuments = 100
const maxBytes = 4 * 1024 * 1024
/** An import that began this long ago, in milliseconds, counts as interrupted. */
const interruptedAfter = 60 * 60 * 1000
/** How long plugins may take to erase their parts of a failed import, in milliseconds. */
const eraseTimeoutMs = 60_000

interface ImportOwner {
  readonly userId: string
  readonly agentId: string
  readonly signal: AbortSignal
}

/** Creates chats from documents. */
export interface Importer {
  /**
   * Stores the chat of a document under new ids. It becomes visible as a whole or not at all: the
   * chat itself is stored last, and the data of a failed import is deleted, at the latest by the
   * next import of this user. @throws `invalid_request`, `import_in_progress`, the signal's reason.
   */
  import(document: ChatDocument, owner: ImportOwner): Promise<ImportedChat>
  /**
   * Stores a chat of another product, in the same way. The caller limits how many are stored at a
   * time. @throws `invalid_request`, what `within` throws, the signal's reason.
   */
  importForeign(document: ChatDocument, owner: ImportOwner, foreign: ForeignOrigin): Promise<Chat>
  /** Deletes what an interrupted import of an export has stored of a chat. */
  removePartsOf(chatImport: { readonly id: string; readonly user_id: string }): Promise<void>
}

/** What a chat of another product has besides its document. */
export interface ForeignOrigin {
  /** The import that it is a part of. */
  readonly importId: string
  /** The files that were stored for the first parts of a message, by the index of the message. */
  readonly attachments: ReadonlyMap<number, readonly Attachment[]>
  /** Called in the transaction with which the chat becomes visible. */
  within(transaction: Transaction, chat: Chat): Promise<void>
}

/** An imported chat. */
export interface ImportedChat {
  readonly chat: Chat
  /** The parts of the document that were not imported. */
  readonly omitted: readonly OmittedPart[]
}

export function createImporter(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly inference: Pick<Inference, 'groups'>
  readonly log: Logger
  /** The data that plugins keep about chats. */
  readonly parts: Pick<ChatParts, 'erase' | 'import'>
  /** Limits concurrent imports. */
  readonly imports: Limit
}): Importer {
  const { database, events, clock, inference, log, parts } = dependencies
  const imports = database.collection(importCollection)
  const oneAtATime = createKeyedLock(() => importInProgressError.create({}))

  const removeImported = async (chatId: string, userId: string): Promise<void> => {
    await parts.erase({ chatId, userId }, signalWithin(eraseTimeoutMs))
    await deleteByIndex(database, summaryCollection, 'by_chat', chatId)
    await deleteByIndex(database, messageCollection, 'of_chat', chatId)
    await deleteByIndex(database, branchCollection, 'by_chat', chatId)
    await imports.delete(chatId)
  }

  /** The record stays, and the next import deletes the rest. */
  const notYet =
    (id: string) =>
    (error: unknown): void =>
      log.warn('The data of a failed import could not be deleted yet.', { import: id, error })

  const removeInterrupted = async (userId: string): Promise<void> => {
    const page = await imports.query({ index: 'by_user', equals: [userId], limit: 50 })
    for (const { id, started_at } of page.items) {
      if (Date.parse(started_at) < clock.now() - interruptedAfter) await removeImported(id, userId).catch(notYet(id))
    }
  }

  return {
    import: (document, owner) =>
      oneAtATime(owner.userId, () => inTurn(dependencies.imports, owner.userId, owner.signal, () => importDocument(document, owner))),
    importForeign: async (document, owner, foreign) => (await importDocument(document, owner, foreign)).chat,
    async removePartsOf({ id: importId, user_id: userId }) {
      for await (const { id, part_of } of documentsOf(database, importCollection, { index: 'by_user', equals: [userId] }))
        if (part_of === importId) await removeImported(id, userId)
    },
  }

  async function importDocument(
    document: ChatDocument,
    { userId, agentId, signal }: ImportOwner,
    foreign?: ForeignOrigin,
  ): Promise<ImportedChat> {
    const ranges = await checkDocument(document)
    const now = clock.now()
    const place = { now, groups: new Set(inference.groups().map(({ name }) => name)), foreign }
    const first = chatOf(document, ranges, { id: uuidv7(), user_id: userId, agent_id: agentId }, place)
    const branches = branchesFor(document, ranges, first, now)
    const chat = onBranch(first, branches[document.chat.branch - 1])
    const messages = messagesFor(document, branches, place)
    if (foreign && isSmall(document)) return { chat: await storeAtOnce(chat, { branches, messages }, foreign, signal), omitted: [] }

    await removeInterrupted(userId)
    await imports.insert({
      id: chat.id,
      user_id: userId,
      started_at: new Date(now).toISOString(),
      ...(foreign && { part_of: foreign.importId }),
    })
    try {
      if (branches.length > 1) await storeAll(database, branchCollection, branches, signal)
      await storeAll(database, messageCollection, messages, signal)
      await storeAll(database, summaryCollection, summariesFor(document, branches, now), signal)
      const given = (document.parts ?? {}) as Readonly<Record<string, JsonValue>>
      const omitted = await parts.import({ chatId: chat.id, userId }, given, signal)
      return { chat: await show(chat, foreign), omitted }
    } catch (error) {
      await removeImported(chat.id, userId).catch(notYet(chat.id))
      throw error
    }
  }

  /** A chat of another product in one transaction: most of thousands are small. */
  async function storeAtOnce(
    chat: Chat,
    { branches, messages }: { readonly branches: readonly Branch[]; readonly messages: Iterable<Message> },
    foreign: ForeignOrigin,
    signal: AbortSignal,
  ): Promise<Chat> {
    const made = [...messages]
    await database.transaction(
      async (transaction) => {
        await foreign.within(transaction, chat)
        if (branches.length > 1) for (const branch of branches) transaction.insert(branchCollection, branch)
        for (const message of made) transaction.insert(messageCollection, message)
        transaction.insert(chatCollection, chat)
      },
      { signal },
    )
    return chat
  }

  /** The last step: from here on there is a chat. */
  async function show(chat: Chat, foreign: ForeignOrigin | undefined): Promise<Chat> {
    await database.transaction(async (transaction) => {
      if (!(await transaction.get(importCollection, chat.id))) throw new Error(`The import ${chat.id} was treated as interrupted.`)
      await foreign?.within(transaction, chat)
      transaction.delete(importCollection, chat.id)
      transaction.insert(chatCollection, chat)
      await storeTags(transaction, undefined, chat)
      // Thousands at once would flood every stream, and memory would ask models about each of them.
      if (!foreign)
        events.record(transaction, { userId: chat.user_id, name: 'chat.created', data: { chat_id: chat.id, chat: presentChat(chat) } })
    })
    return chat
  }
}

/** Whether the chat fits one transaction. Tags, summaries and data of plugins come only with a document of this service. */
const isSmall = ({ messages, branches }: ChatDocument): boolean =>
  messages.length + branches.length < maxDocuments &&
  messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0) < maxBytes / 4

/** When an import happens, and the model groups that the service has. */
interface ImportPlace {
  readonly now: number
  readonly groups: ReadonlySet<string>
  readonly foreign?: ForeignOrigin | undefined
}

/** The chat on its first branch. A model group that the service does not have is left out. */
function chatOf(
  { chat, branches }: ChatDocument,
  ranges: readonly BranchRange[],
  owner: Pick<Chat, 'id' | 'user_id' | 'agent_id'>,
  { now, groups }: ImportPlace,
): Chat {
  const members: Partial<Chat> = {
    updated_at: timeOf(chat.updated_at, now),
    message_count: ranges[0]?.to ?? 0,
    branch_count: branches.length,
    listing: chat.archived ? 'archived' : 'current',
    compaction: chat.compaction,
    model: typeof chat.model === 'string' && groups.has(chat.model) ? chat.model : null,
    pinned: chat.pinned ?? false,
    guests: chat.guests ?? null,
    tags: normalTags(chat.tags ?? []).tags,
  }
  const title = chat.title === null ? null : wellFormed(chat.title)
  return newChat({ ...owner, title, ...members }, timeOf(chat.created_at, now))
}

/**
 * The branches by number. The path of a branch is that of the branch that it was forked from, up to
 * the fork, and its own segment.
 */
function branchesFor({ branches }: ChatDocument, ranges: readonly BranchRange[], chat: Chat, now: number): readonly Branch[] {
  const made: Branch[] = []
  for (const [index, { fork, created_at }] of branches.entries()) {
    const owner = fork && made[fork.branch - 1]
    const id = index === 0 ? chat.id : uuidv7()
    made.push({
      ...{ id, chat_id: chat.id, user_id: chat.user_id, number: index + 1 },
      fork: fork && owner ? { branch_id: owner.id, sequence: fork.sequence } : null,
      path: fork && owner ? forkedPath(owner.path, fork.sequence, id) : chat.path,
      length: ranges[index]?.to ?? 0,
      created_at: timeOf(created_at, now),
    })
  }
  return made
}

const onBranch = (chat: Chat, branch: Branch | undefined): Chat =>
  branch ? { ...chat, branch_id: branch.id, path: branch.path, message_count: branch.length } : chat

function* messagesFor({ messages }: ChatDocument, branches: readonly Branch[], { now, groups, foreign }: ImportPlace): Iterable<Message> {
  const runs = new Map<number, string>()
  for (const [index, message] of messages.entries()) {
    const branch = branches[message.branch - 1]
    if (!branch) continue
    const run = runs.get(message.run) ?? uuidv7()
    runs.set(message.run, run)
    const attachments = foreign?.attachments.get(index)
    // The name of the model that wrote a foreign answer is shown, and never asked.
    const hasModel = message.model !== undefined && (groups.has(message.model) || (foreign && message.role === 'assistant'))
    yield {
      ...{ id: uuidv7(), chat_id: branch.chat_id, branch_id: branch.id, user_id: branch.user_id, run_id: run },
      ...{ role: message.role, status: endedStatus(message), content: importedContent(message), sequence: message.sequence },
      ...(message.role === 'user' &&
        message.sent_by && { sent_by: { agent_id: null, name: message.sent_by.name && wellFormed(message.sent_by.name) } }),
      ...(message.role === 'tool' && message.made_files && { made_files: message.made_files.map(importedFile) }),
      ...(hasModel && { model: message.model }),
      ...(attachments && { attachments }),
      created_at: timeOf(message.created_at, now),
    }
  }
}

const importedFile = ({ path, ...file }: NonNullable<MessageInDocument['made_files']>[number]): MadeFile => ({
  ...file,
  path: wellFormed(path),
  name: wellFormed(path.slice(path.lastIndexOf('/') + 1)),
})

/** No run continues an open message, and the messages of people and tools are complete. */
function endedStatus({ role, status, content }: MessageInDocument): Exclude<MessageStatus, 'open'> {
  if (role !== 'assistant') return 'complete'
  if (status !== 'open') return status
  return content.length === 0 ? 'failed' : 'partial'
}

function* summariesFor({ summaries }: ChatDocument, branches: readonly Branch[], now: number): Iterable<Summary> {
  for (const { branch: number, until, text, task, tokens_before, tokens, model, created_at, undone_at } of summaries) {
    const branch = branches[number - 1]
    if (!branch) continue
    yield {
      ...{ id: uuidv7(), chat_id: branch.chat_id, user_id: branch.user_id, branch_id: branch.id, run_id: null },
      ...{ until, text: wellFormed(text), task: task === null ? null : wellFormed(task), tokens_before, tokens, model: wellFormed(model) },
      created_at: timeOf(created_at, now),
      undone_at: undone_at === null ? null : timeOf(undone_at, now),
    }
  }
}

/** In UTC and not in the future, since such a chat would stay above all others. */
const timeOf = (time: string, now: number): string => new Date(Math.min(Date.parse(time), now)).toISOString()

/** Stores documents in transactions of bounded size. */
async function storeAll<Document extends StoredObject>(
  database: Database,
  collection: CollectionDefinition<Document>,
  documents: Iterable<Document>,
  signal: AbortSignal,
): Promise<void> {
  let piece: Document[] = []
  let bytes = 0
  const store = async (): Promise<void> => {
    signal.throwIfAborted()
    const stored = piece
    piece = []
    bytes = 0
    await database.transaction(
      async (transaction) => {
        for (const document of stored) transaction.insert(collection, document)
      },
      { signal },
    )
  }
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document))
    if (piece.length > 0 && (piece.length === maxDocuments || bytes + size > maxBytes)) await store()
    piece.push(document)
    bytes += size
  }
  if (piece.length > 0) await store()
}
