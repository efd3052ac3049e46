import { namedObject, type Static, Type } from '@agent-service/sdk'
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
} from '@agent-service/sdk/contracts/http-route'
import type { TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import { documentsBusyError } from '@agent-service/sdk/services/documents'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { AgentChoice } from '../agents/agent-choice.js'
import { requireModel } from '../chats/model-choice.js'
import {
  idempotencyKeyReusedError,
  inboxFullError,
  messageTooLongError,
  noAgentError,
  notReplaceableError,
  runInProgressError,
  tooManyBranchesError,
  tooManyRunsError,
} from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownUndeleted } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import { wellFormed } from '../common/well-formed.js'
import type { FileOutcome } from '../posting/attachments.js'
import type { GivenFiles } from '../posting/given-files.js'
import type { PostKey } from '../posting/post.js'
import type { RunsWithin } from '../run-service/create-runs.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import { alternativesAlong } from '../store/chats/alternatives.js'
import { branchCollection } from '../store/chats/branch.js'
import { branchesOf } from '../store/chats/branch-list.js'
import { type Chat, chatCollection, type Segment } from '../store/chats/chat.js'
import {
  attachmentsSchema,
  choiceSchema,
  listedMessage,
  type Message,
  messageCollection,
  messageInputSchema,
  messageSchema,
} from '../store/chats/message.js'
import { messagePage } from '../store/chats/message-page.js'
import { presentRun, type Run, runCollection, runSchema } from '../store/runs/run.js'

const params = Type.Object({ chat_id: idSchema })
const tags = ['chats']
const attachmentCheckSchema = namedObject('CheckAttachments', {
  attachments: attachmentsSchema,
  agent_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The agent that is to answer. Default: your first enabled one, as of a new chat.',
    }),
  ),
})
const checkedAttachmentsSchema = namedObject('CheckedAttachments', {
  files: Type.Array(
    namedObject('CheckedAttachment', {
      path: Type.String({ examples: ['files/report.xlsx'] }),
      shown: Type.Boolean({ description: 'The model is shown its content, or its text.' }),
      in_workspace: Type.Boolean({ description: 'It lies in the workspace of the agent, which has tools to read it.' }),
      problem: Type.Union([Type.String(), Type.Null()], {
        description: 'Why a message with it would be refused, in words that follow the path; null: it is not.',
        examples: [null],
      }),
      needs_file_tools: Type.Boolean({ description: 'It is refused by this agent, and an agent with tools for files would get it.' }),
    }),
  ),
})
const createdMessage = namedObject('CreatedMessage', {
  message: messageSchema,
  run: runSchema,
  compared_run: Type.Optional(runSchema),
})
const regenerated = namedObject('RegeneratedAnswer', { run: runSchema })
const messagePageSchema = namedObject('MessagePage', {
  ...pageSchema(messageSchema).properties,
  runs: Type.Array(runSchema, {
    description:
      'The runs that these messages started or that wrote them, and at the end of the branch that is shown its newest run, with their status and, if they failed, why. Those of an imported chat are not known.',
  }),
})
const listQuerySchema = Type.Object({
  ...pageQuerySchema.properties,
  branch_id: Type.Optional(idSchema),
  before: Type.Optional(Type.Integer({ minimum: 0, description: 'The page ends before the message with this `sequence`.' })),
})

const regenerateSchema = Type.Object({
  message_id: Type.Optional(idSchema),
  ...choiceSchema.properties,
})

/** The routes under `/api/chats/{chat_id}/messages`. */
export function createMessageRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly inference: Pick<Inference, 'groups'>
  readonly manager: Pick<RunManager, 'liveMessage'>
  readonly runs: Pick<RunsWithin, 'post' | 'regenerate'>
  readonly agentChoice: Pick<AgentChoice, 'byId'>
  readonly files: Pick<GivenFiles, 'all' | 'check'>
}): readonly HttpRoute[] {
  const { database, events, inference, manager, runs, agentChoice, files } = dependencies
  const chats = database.collection(chatCollection)
  const branches = database.collection(branchCollection)
  const messages = database.collection(messageCollection)
  const storedRuns = database.collection(runCollection)

  /** An open message with its text so far, and the id after which the stream continues. */
  const withText = async (message: Message, position: number) => {
    if (message.status !== 'open') return listedMessage(message)
    const live = manager.liveMessage(message.run_id)
    if (live?.messageId === message.id) return { ...listedMessage(message), content: live.view(), event_id: String(position) }
    // It may have ended since it was read.
    const current = (await messages.get(message.id)) ?? message
    return current.status === 'open' ? { ...listedMessage(current), event_id: String(position) } : listedMessage(current)
  }

  /**
   * The runs of these messages, by their ids, so that the cost follows the page, whatever else the chat has; and at the end of the branch that
   * is shown its newest one, which may have ended without a message. Of a comparison, the other run may be newer.
   */
  const runsOf = async (chat: Chat, branchId: string, page: readonly Message[]): Promise<readonly Run[]> => {
    const ids = [...new Set(page.map(({ run_id }) => run_id))]
    const found = await Promise.all(ids.map((id) => storedRuns.get(id)))
    const known = found.filter((run) => run !== undefined)
    if (branchId !== chat.branch_id || page.at(-1)?.sequence !== chat.message_count - 1) return known
    const newest = await storedRuns.query({ index: 'by_chat', equals: [chat.id], order: 'descending', limit: 2 })
    const here = newest.items.find(({ branch_id }) => branch_id === branchId)
    return here && !ids.includes(here.id) ? [...known, here] : known
  }

  /**
   * The requested path: that of the branch that is shown, or of the branch that the request names.
   */
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
      summary: 'List the messages of a chat, oldest first',
      description:
        'Lists the branch that is shown, or `branch_id`. With `before` the page ends before the message with that `sequence`: the newest page is the one before the chat’s `message_count`. At a fork of the chat, a message has its `alternatives`. `runs` has what became of the runs of these messages: also of one that failed or was stopped before it wrote any. An open message has its text so far and an `event_id`: stream `/api/events?after={event_id}` to continue without a gap.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: listQuerySchema,
      answers: { 200: { description: 'One page.', schema: messagePageSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        // Read before the state: every change in between is in the stream after this position.
        const position = events.position(userId)
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), userId)
        const { branch_id, before, cursor, limit } = request.query
        const from = cursor === undefined ? 0 : Number(cursor)
        if (!Number.isSafeInteger(from) || from < 0) {
          throw invalidRequestError.create(
            { where: 'query' },
            { problems: [{ path: '/cursor', message: 'is not a cursor of this list.' }] },
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
        const itsRuns = await runsOf(chat, branch_id ?? chat.branch_id, page.items)
        return ok({ items, next_cursor: page.next === undefined ? null : String(page.next), runs: itsRuns.map(presentRun) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/{chat_id}/messages',
      operationId: 'createMessage',
      summary: 'Send a message to the agent',
      description:
        'Stores the message and begins a run. The answer streams on `/api/events`. If a run is already in progress, the message goes to that run, which sees it before its next step. `agent_id` and `model` name who answers, and become the choice of the chat together with the message; absent ones stay as the chat has them. An unknown one is refused, and nothing is stored. A run in progress keeps its agent and model: a message for another one is 409 `run_in_progress`. With `compare_with` another model answers at the same time. Events of both answers have their own `run_id` and `message_id`. With `replaces` the chat continues from the place of that message, in a new branch; the other branch stays. `attachments` are given to the agent as they are now. For an agent with a tool that reads its workspace each of them lies there, as `attachments/<name>`, whatever it is; the same content is there once, and what lies in that workspace already stays where it is. What a model can be shown is in its context, before the text: PNG, JPEG, GIF and WebP pictures (4 MiB each), PDFs and UTF-8 texts (200 KiB each), recognised by their content, and the text of other documents (DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, texts in other encodings; 10 MiB each, 200 KiB of text), where documents can be read; 7 MiB for the whole message as JSON. An agent without such a tool is refused any other file, with the reason.',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      idempotent: true,
      params,
      body: { kind: 'json', schema: messageInputSchema, limit: 32 * 1024 * 1024 },
      errors: [
        runInProgressError,
        noAgentError,
        inboxFullError,
        notReplaceableError,
        tooManyBranchesError,
        tooManyRunsError,
        messageTooLongError,
        documentsBusyError,
      ],
      answers: {
        202: { description: 'The message, and the run that answers it; with `compare_with` also the other one.', schema: createdMessage },
      },
      async handle(request) {
        const { userId, handle } = principalOf(request)
        const { replaces, agent_id: agentId, model, compare_with: compareWith } = request.body
        requireModel(inference, model)
        requireModel(inference, compareWith?.model, '/compare_with/model')
        const paths = (request.body.attachments ?? []).map(({ path }) => path)
        const content = partsOf(request.body.content ?? '', paths.length > 0)
        const used = sizeOf(content)
        const key = request.headers['idempotency-key']
        const { message, run, beside } = await runs.post({
          userId,
          chat: { id: request.params.chat_id },
          content,
          ...(paths.length === 0 ? {} : { files: files.all({ owner: { userId, handle }, paths, used, signal: request.signal }) }),
          ...(replaces === undefined ? {} : { replaces }),
          choice: { agentId, model },
          ...(compareWith && { compareWith }),
          ...(typeof key === 'string' ? { key: requestKey(userId, key) } : {}),
        })
        return accepted({ message: listedMessage(message), run: presentRun(run), ...(beside && { compared_run: presentRun(beside) }) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/attachments',
      operationId: 'checkAttachments',
      summary: 'Ask what becomes of files with a message',
      description:
        'For each file whether the model is shown it, and whether it lies in the workspace of the agent, or why it is refused, so that it is named while it is attached. Nothing is stored or copied, and a file that changes afterwards is checked again with its message. Files are checked together: what has no room beside the others is not shown.',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      body: { kind: 'json', schema: attachmentCheckSchema },
      errors: [noAgentError, documentsBusyError],
      answers: { 200: { description: 'What becomes of each, in the given order.', schema: checkedAttachmentsSchema } },
      async handle(request) {
        const { userId, handle } = principalOf(request)
        const agent = await agentChoice.byId(userId, request.body.agent_id)
        const paths = request.body.attachments.map(({ path }) => path)
        const outcomes = await files.check({ owner: { userId, handle }, paths, signal: request.signal }, agent)
        return ok({ files: outcomes.map(presentOutcome) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/{chat_id}/regenerate',
      operationId: 'regenerateAnswer',
      summary: 'Regenerate an answer',
      description:
        'Answers the newest message of a person again, or the one at or before `message_id`, in a new branch. The earlier answer stays in its branch. `agent_id` and `model` become the choice of the chat, too. Without `model`, the model group that the message was sent with answers again.',
      tags,
      auth: 'user',
      includes: ['createMessage'],
      rateClass: 'expensive',
      idempotent: true,
      params,
      body: { kind: 'json', schema: regenerateSchema },
      errors: [
        runInProgressError,
        noAgentError,
        inboxFullError,
        notReplaceableError,
        tooManyBranchesError,
        tooManyRunsError,
        messageTooLongError,
      ],
      answers: { 202: { description: 'The run that answers.', schema: regenerated } },
      async handle(request) {
        const { message_id, agent_id: agentId, model } = request.body
        requireModel(inference, model)
        const { run } = await runs.regenerate({
          userId: ownerOf(request),
          chatId: request.params.chat_id,
          ...(message_id === undefined ? {} : { messageId: message_id }),
          choice: { agentId, model },
        })
        return accepted({ run: presentRun(run) })
      },
    }),
  ]
}

const presentOutcome = ({ path, shown, inWorkspace, refused }: FileOutcome) => ({
  ...{ path, shown, in_workspace: inWorkspace },
  problem: refused?.reason ?? null,
  needs_file_tools: refused?.needsWorkspace ?? false,
})

/** Identifies a repeated HTTP request, for a day. */
const requestKey = (userId: string, key: string): PostKey => ({
  clientKey: `${userId}/${key}`,
  lifeMs: 24 * 3_600_000,
  reused: () => idempotencyKeyReusedError.create({}),
})

/** The text to store. @throws `invalid_request` if the message is empty. */
function partsOf(content: Exclude<Static<typeof messageInputSchema>['content'], undefined>, mayBeEmpty: boolean): readonly TextPart[] {
  if (content === '' && !mayBeEmpty) {
    throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/content', message: 'is required without attachments' }] })
  }
  const parts: readonly TextPart[] = typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'text', text: content }]
  return parts.map(({ text }): TextPart => ({ type: 'text', text: wellFormed(text) }))
}

/** The bytes of the content as JSON. @throws `message_too_long`. */
function sizeOf(content: readonly TextPart[]): number {
  const bytes = Buffer.byteLength(JSON.stringify(content))
  if (bytes > maxMessageBytes) throw messageTooLongError.create({ bytes, limit: maxMessageBytes })
  return bytes
}
