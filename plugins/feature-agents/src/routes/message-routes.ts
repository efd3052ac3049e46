import { type Static, Type } from '@agent-service/sdk'
import {
  accepted,
  actorKinds,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
  requirePerson,
} from '@agent-service/sdk/contracts/http-route'
import type { TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { idempotencyKeyReusedError, messageTooLongError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import { wellFormed } from '../common/well-formed.js'
import type { Attachments } from '../posting/attachments.js'
import type { PostKey } from '../posting/post.js'
import type { RunsWithin } from '../run-service/create-runs.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import { alternativesAlong } from '../store/chats/alternatives.js'
import { branchCollection } from '../store/chats/branch.js'
import { branchesOf } from '../store/chats/branch-list.js'
import { type Chat, chatCollection, type Segment } from '../store/chats/chat.js'
import { listedMessage, type Message, messageCollection, messageInputSchema, messageSchema } from '../store/chats/message.js'
import { messagePage } from '../store/chats/message-page.js'
import { presentRun, runSchema } from '../store/runs/run.js'

const params = Type.Object({ chat_id: idSchema })
const tags = ['chats']
const listQuerySchema = Type.Object({
  ...pageQuerySchema.properties,
  branch_id: Type.Optional(idSchema),
  before: Type.Optional(Type.Integer({ minimum: 0, description: 'The page ends before the message of this `sequence`.' })),
})

/** The routes under `/api/chats/{chat_id}/messages`. */
export function createMessageRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly manager: Pick<RunManager, 'liveMessage'>
  readonly runs: Pick<RunsWithin, 'post' | 'regenerate'>
  readonly attachments: Attachments
}): readonly HttpRoute[] {
  const { database, events, manager, runs, attachments } = dependencies
  const chats = database.collection(chatCollection)
  const branches = database.collection(branchCollection)
  const messages = database.collection(messageCollection)

  /** An open message with what it has come to by now, and the id from which the stream goes on. */
  const withText = async (message: Message, position: number) => {
    if (message.status !== 'open') return listedMessage(message)
    const live = manager.liveMessage(message.run_id)
    if (live?.messageId === message.id) return { ...listedMessage(message), content: live.view(), event_id: String(position) }
    // It may have ended since it was read.
    const current = (await messages.get(message.id)) ?? message
    return current.status === 'open' ? { ...listedMessage(current), event_id: String(position) } : listedMessage(current)
  }

  /** The way that a request asks for: the branch that is shown, or the one that it names. */
  const pathOf = async (chat: Chat, branchId: string | undefined): Promise<readonly Segment[]> => {
    if (branchId === undefined || branchId === chat.branch_id) return chat.path
    const branch = await branches.get(branchId)
    if (branch?.chat_id !== chat.id) throw notFoundError.create({ what: 'branch' })
    return branch.path
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/messages',
      operationId: 'listMessages',
      summary: 'The messages of a chat, from old to new',
      description:
        'Those of the branch that is shown, or of `branch_id`. With `before` the page ends before the message of that `sequence`: the newest page is the one before the chat’s `message_count`. Where the chat was forked, a message has its `alternatives`. An open message has its text so far and `event_id`: stream `/api/events?after={event_id}` to go on without a gap.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: listQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(messageSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        // Before the state is read: whatever changes in between is in the stream behind it.
        const position = events.position(userId)
        const chat = ownDocument('chat', await chats.get(request.params.chat_id), userId)
        const { branch_id, before, cursor, limit } = request.query
        const from = cursor === undefined ? 0 : Number(cursor)
        if (!Number.isSafeInteger(from) || from < 0) {
          throw invalidRequestError.create(
            { where: 'query' },
            { problems: [{ path: '/cursor', message: 'is not one that this list has given.' }] },
          )
        }
        const place = before === undefined ? { from } : { before }
        const way = await pathOf(chat, branch_id)
        const page = await messagePage(database, way, place, limit ?? 50)
        const alternatives = chat.branch_count === 1 ? undefined : alternativesAlong(way, await branchesOf(database, chat))
        const items = await Promise.all(
          page.items.map(async (message) => {
            const others = alternatives?.(message.sequence)
            return { ...(await withText(message, position)), ...(others ? { alternatives: [...others] } : {}) }
          }),
        )
        return ok({ items, next_cursor: page.next === undefined ? null : String(page.next) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/{chat_id}/messages',
      operationId: 'createMessage',
      summary: 'Write to the agent',
      description:
        'Stores the message and begins a run. The answer comes on `/api/events`. Where a run goes on already, the message goes to that run, which sees it before its next step. With `replaces` the chat goes on from where that message of a person stands, in a branch of its own; the other branch stays. `attachments` are shown to the agent as they are now, before the text: PNG, JPEG, GIF and WebP pictures (4 MiB each), PDFs and texts in UTF-8 (200 KiB each), by what is in them; 7 MiB for the whole message as JSON. Any other file is refused with its reason. A program that acts for somebody may not attach files.',
      tags,
      auth: 'user',
      actors: actorKinds,
      rateClass: 'expensive',
      idempotent: true,
      params,
      body: { kind: 'json', schema: messageInputSchema, limit: 32 * 1024 * 1024 },
      answers: {
        202: { description: 'The message, and the run that answers it.', schema: Type.Object({ message: messageSchema, run: runSchema }) },
      },
      async handle(request) {
        const { userId, handle } = principalOf(request)
        const { replaces } = request.body
        const paths = (request.body.attachments ?? []).map(({ path }) => path)
        if (paths.length > 0) requirePerson(request.principal, 'attach files')
        const content = partsOf(request.body.content ?? '', paths.length > 0)
        const used = sizeOf(content)
        const key = request.headers['idempotency-key']
        const { message, run } = await runs.post({
          userId,
          chat: { id: request.params.chat_id },
          content,
          ...(paths.length === 0
            ? {}
            : { files: { paths, read: () => attachments.read({ userId, handle }, paths, { used, limit: maxMessageBytes }) } }),
          ...(replaces === undefined ? {} : { replaces }),
          ...(typeof key === 'string' ? { key: requestKey(userId, key) } : {}),
        })
        return accepted({ message: listedMessage(message), run: presentRun(run) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/{chat_id}/regenerate',
      operationId: 'regenerateAnswer',
      summary: 'Answer a message anew',
      description:
        'Answers the newest message of a person, or the one before `message_id`, in a branch of its own; what was answered before stays in its branch.',
      tags,
      auth: 'user',
      actors: actorKinds,
      includes: ['createMessage'],
      rateClass: 'expensive',
      idempotent: true,
      params,
      body: { kind: 'json', schema: Type.Object({ message_id: Type.Optional(idSchema) }) },
      answers: { 202: { description: 'The run that answers.', schema: Type.Object({ run: runSchema }) } },
      async handle(request) {
        const { message_id } = request.body
        const { run } = await runs.regenerate({
          userId: ownerOf(request),
          chatId: request.params.chat_id,
          ...(message_id === undefined ? {} : { messageId: message_id }),
        })
        return accepted({ run: presentRun(run) })
      },
    }),
  ]
}

/** How a request over HTTP is known again, for a day. */
const requestKey = (userId: string, key: string): PostKey => ({
  clientKey: `${userId}/${key}`,
  lifeMs: 24 * 3_600_000,
  reused: () => idempotencyKeyReusedError.create({}),
})

/** The text as it is kept. @throws `invalid_request` where there is nothing at all. */
function partsOf(content: Exclude<Static<typeof messageInputSchema>['content'], undefined>, mayBeEmpty: boolean): readonly TextPart[] {
  if (content === '' && !mayBeEmpty) {
    throw invalidRequestError.create(
      { where: 'body' },
      { problems: [{ path: '/content', message: 'is needed where nothing is attached' }] },
    )
  }
  const parts: readonly TextPart[] = typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'text', text: content }]
  return parts.map(({ text }): TextPart => ({ type: 'text', text: wellFormed(text) }))
}

/** As JSON. @throws `message_too_long`. */
function sizeOf(content: readonly TextPart[]): number {
  const bytes = Buffer.byteLength(JSON.stringify(content))
  if (bytes > maxMessageBytes) throw messageTooLongError.create({ bytes, limit: maxMessageBytes })
  return bytes
}
