import { instant, named, namedObject, type Static, Type } from '@agent-service/sdk'
import { guestsSchema } from '../store/chats/chat.js'
import { maxMadeFiles } from '../store/chats/made-file.js'
import { maxTags } from '../store/tags/tag.js'

/** Identifies a file as an exported chat. */
export const documentFormat = 'agent-service.chat'
export const documentVersion = 1
/** The limits of an import. */
export const maxMessages = 50_000
const maxSummaries = 1_000
const maxBranches = 200

const time = instant({ description: 'RFC 3339.' })
const name = Type.String({ minLength: 1, maxLength: 300 })
const text = Type.String({ maxLength: 7_000_000 })
const modelName = Type.String({ minLength: 1, maxLength: 100 })
const number = Type.Integer({ minimum: 1, maximum: maxBranches })
const count = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const optionalText = Type.Optional(text)

const textPart = namedObject('DocumentTextPart', { type: Type.Literal('text'), text })
const imagePart = namedObject('DocumentImagePart', { type: Type.Literal('image'), media_type: name, data: optionalText, url: optionalText })
const filePart = namedObject('DocumentFilePart', {
  type: Type.Literal('file'),
  media_type: name,
  name,
  data: optionalText,
  url: optionalText,
})
const reasoningPart = namedObject('DocumentReasoningPart', { type: Type.Literal('reasoning'), text })
const toolCallPart = namedObject('DocumentToolCallPart', {
  type: Type.Literal('tool_call'),
  call_id: name,
  provider_call_id: Type.Optional(name),
  name,
  arguments: Type.Object({}, { additionalProperties: true }),
  invalid_arguments: optionalText,
})
const toolResultPart = namedObject('DocumentToolResultPart', {
  type: Type.Literal('tool_result'),
  call_id: name,
  provider_call_id: Type.Optional(name),
  name,
  content: Type.Array(named('DocumentResultPart', Type.Union([textPart, imagePart, filePart])), { maxItems: 1_000 }),
  is_error: Type.Optional(Type.Boolean()),
  outcome: Type.Optional(Type.Literal('unknown')),
})

const partSchema = named('DocumentPart', Type.Union([textPart, imagePart, filePart, reasoningPart, toolCallPart, toolResultPart]))

/**
 * A branch. `fork` has the branch of the message before its first own one, and the sequence of that
 * first own one.
 */
const branchSchema = namedObject('DocumentBranch', {
  number,
  fork: Type.Union([namedObject('DocumentFork', { branch: number, sequence: count }), Type.Null()]),
  created_at: time,
})

const character = '[^/\\\\\\u0000-\\u001f\\u007f]'
const noDot = character.replace('[^', '[^.')
/** A name in a path, which is neither “.” nor “..”. Without a lookahead, so that tests can make texts of the pattern. */
const segment = `(${noDot}${character}*|[.]${noDot}${character}*|[.][.]${character}+)`

/** A path of another service, or of another person here: the import takes it for the same one below the new owner's folder. */
const madeFileSchema = namedObject(
  'DocumentMadeFile',
  {
    call_id: name,
    path: Type.String({
      maxLength: 2_300,
      pattern: `^workspaces(/${segment}){2,}$`,
      examples: ['workspaces/assistant/charts/sales.png'],
    }),
    size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    media_type: Type.Optional(Type.String({ pattern: '^image/(png|jpeg|gif|webp)$', maxLength: 20 })),
  },
  { description: 'A file that a tool call made or changed. The document has its name, not its content.' },
)

const messageSchema = namedObject('DocumentMessage', {
  branch: number,
  sequence: count,
  run: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Messages with the same number were written in the same run.' }),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('tool')]),
  sent_by: Type.Optional(
    namedObject(
      'DocumentSender',
      { name: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]) },
      { description: 'The agent that wrote it in the place of the person.' },
    ),
  ),
  status: Type.Union([Type.Literal('open'), Type.Literal('complete'), Type.Literal('partial'), Type.Literal('failed')]),
  content: Type.Array(partSchema, { maxItems: 1_000 }),
  made_files: Type.Optional(Type.Array(madeFileSchema, { maxItems: maxMadeFiles })),
  model: Type.Optional(modelName),
  created_at: time,
})

const summarySchema = namedObject('DocumentSummary', {
  branch: number,
  until: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  text: Type.String({ maxLength: 200_000 }),
  task: Type.Union([Type.String({ maxLength: 200_000 }), Type.Null()]),
  tokens_before: count,
  tokens: count,
  model: Type.String({ maxLength: 300 }),
  created_at: time,
  undone_at: Type.Union([time, Type.Null()]),
})

/**
 * The data that plugins keep about the chat, by the name of the part. Each plugin checks its own
 * part.
 */
const partsSchema = Type.Object(
  {},
  { additionalProperties: true, maxProperties: 100, description: 'The data that plugins keep about the chat, by part.' },
)

/** Parts that are missing or could not be imported, and why. */
export const omittedPartsSchema = Type.Array(
  namedObject('OmittedPart', {
    id: Type.String({ maxLength: 100, examples: ['notes'] }),
    reason: Type.Union([Type.Literal('not_installed'), Type.Literal('failed'), Type.Literal('too_large')]),
  }),
  { maxItems: 1_000, description: 'The parts of plugins that are omitted.' },
)

/**
 * A chat outside the service: without ids of users, chats or runs, and without data that only a
 * vendor can read.
 */
export const chatDocumentSchema = namedObject('ChatDocument', {
  format: Type.Literal(documentFormat),
  version: Type.Literal(documentVersion),
  chat: Type.Object({
    title: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]),
    agent: Type.Union([Type.String({ maxLength: 200 }), Type.Null()], { description: 'The handle of its agent.' }),
    archived: Type.Boolean(),
    compaction: Type.Boolean(),
    branch: Type.Integer({ minimum: 1, maximum: maxBranches, description: 'The branch that is shown.' }),
    created_at: time,
    updated_at: time,
    model: Type.Optional(Type.Union([modelName, Type.Null()], { description: 'The model group that answers; null: the agent’s.' })),
    pinned: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: maxTags })),
    guests: Type.Optional(Type.Union([guestsSchema, Type.Null()])),
  }),
  branches: Type.Array(branchSchema, { minItems: 1, maxItems: maxBranches }),
  messages: Type.Array(messageSchema, { maxItems: maxMessages }),
  summaries: Type.Array(summarySchema, { maxItems: maxSummaries }),
  parts: Type.Optional(partsSchema),
  parts_left_out: Type.Optional(omittedPartsSchema),
})

export type ChatDocument = Static<typeof chatDocumentSchema>
export type MessageInDocument = ChatDocument['messages'][number]
export type PartInDocument = MessageInDocument['content'][number]
