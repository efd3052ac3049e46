import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { ChatParts } from '../points/parts/chat-parts.js'
import { agentCollection } from '../store/agents/agent.js'
import type { Branch } from '../store/chats/branch.js'
import { branchesOf } from '../store/chats/branch-list.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import type { Chat } from '../store/chats/chat.js'
import type { MadeFile } from '../store/chats/made-file.js'
import { type Message, presentMessage } from '../store/chats/message.js'
import { type Summary, summaryCollection } from '../store/chats/summary.js'
import { documentFormat, documentVersion } from './chat-document.js'

/** The size of a chunk of the stream, in UTF-16 code units. */
const chunkLength = 64 * 1024

/**
 * A chat as one JSON document, piece by piece: all branches as they were when the export began.
 * @throws `not_found` if the chat is deleted meanwhile, which breaks off the stream.
 */
export async function* exportChat(
  { database, parts }: { readonly database: Database; readonly parts: Pick<ChatParts, 'export'> },
  chat: Chat,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const branches = await branchesOf(database, chat)
  const numbers = new Map(branches.map(({ id, number }) => [id, number]))
  const agent = await database.collection(agentCollection).get(chat.agent_id)
  const head = {
    title: chat.title,
    agent: agent?.handle ?? null,
    archived: chat.listing === 'archived',
    compaction: chat.compaction,
    branch: numbers.get(chat.branch_id) ?? 1,
    created_at: chat.created_at,
    updated_at: chat.updated_at,
    model: chat.model,
    pinned: chat.pinned,
    tags: chat.tags,
    ...(chat.guests !== null && { guests: chat.guests }),
  }
  const listed = branches.map(({ number, fork, created_at }) => ({
    number,
    fork: fork && { branch: numbers.get(fork.branch_id) ?? 1, sequence: fork.sequence },
    created_at,
  }))
  const pieces = async function* (): AsyncIterable<string> {
    yield `{"format":${JSON.stringify(documentFormat)},"version":${documentVersion},\n"chat":${JSON.stringify(head)},\n"branches":${JSON.stringify(listed)},\n"messages":[`
    const runs = new Map<string, number>()
    let comma = ''
    for (const branch of branches) {
      for await (const message of ownMessages(database, branch, signal)) {
        const run = runs.get(message.run_id) ?? runs.size + 1
        runs.set(message.run_id, run)
        yield `${comma}\n${JSON.stringify(exported(message, branch.number, run))}`
        comma = ','
      }
    }
    yield '\n],\n"summaries":['
    comma = ''
    for await (const summary of summariesOf(database, chat.id)) {
      const branch = numbers.get(summary.branch_id)
      // A summary made after the exported part replaces messages that the document does not have.
      if (branch === undefined || summary.until > (branches[branch - 1]?.length ?? 0)) continue
      yield `${comma}\n${JSON.stringify(exportedSummary(summary, branch))}`
      comma = ','
    }
    yield '\n]'
    const kept = await parts.export({ chatId: chat.id, userId: chat.user_id }, signal)
    if (Object.keys(kept.parts).length > 0) yield `,\n"parts":${JSON.stringify(kept.parts)}`
    if (kept.omitted.length > 0) yield `,\n"parts_left_out":${JSON.stringify(kept.omitted)}`
    yield '}\n'
  }
  yield* inChunks(pieces())
}

/** The messages that were written in the branch itself, from old to new. */
async function* ownMessages(database: Database, branch: Branch, signal: AbortSignal): AsyncIterable<Message> {
  const from = branch.fork?.sequence ?? 0
  let next = from
  for await (const message of messagesAlong(database, [{ branch_id: branch.id, from }], { order: 'ascending', to: branch.length })) {
    signal.throwIfAborted()
    yield message
    next += 1
  }
  if (next < branch.length) throw notFoundError.create({ what: 'chat' })
}

function exported(message: Message, branch: number, run: number) {
  const { sequence, role, sent_by, status, content, made_files: files = [], model, created_at } = presentMessage(message)
  // An answer in progress has no content in the store yet, so the export has none either.
  const kept = content.filter(hasContent)
  const ended = status === 'open' ? (kept.length === 0 ? 'failed' : 'partial') : status
  return {
    branch,
    sequence,
    run,
    role,
    ...(sent_by && { sent_by: { name: sent_by.name } }),
    status: ended,
    content: kept,
    ...(files.length > 0 && { made_files: files.map(exportedFile) }),
    ...(model === undefined ? {} : { model }),
    created_at,
  }
}

/** Encrypted reasoning is empty without the data that only its vendor can read. */
const hasContent = (part: ContentPart): boolean => part.type !== 'reasoning' || part.text !== ''

/** An entity tag says nothing elsewhere. */
const exportedFile = ({ call_id, path, size, media_type: mediaType }: MadeFile) => ({
  ...{ call_id, path, size },
  ...(mediaType !== undefined && { media_type: mediaType }),
})

const exportedSummary = ({ until, text, task, tokens_before, tokens, model, created_at, undone_at }: Summary, branch: number) => ({
  ...{ branch, until, text, task, tokens_before, tokens, model, created_at, undone_at },
})

const summariesOf = (database: Database, chatId: string): AsyncIterable<Summary> =>
  documentsOf(database, summaryCollection, { index: 'by_chat', equals: [chatId], pageSize: 50 })

/** Texts as bytes; small ones are joined. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
