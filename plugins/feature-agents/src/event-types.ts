import { type EventTypeDeclaration, named, Type } from '@agent-service/sdk'
import { chatSchema } from './store/chats/chat.js'
import { chatImportProgressSchema } from './store/chats/chat-import.js'
import { madeFileSchema } from './store/chats/made-file.js'
import { messageSchema } from './store/chats/message.js'
import { resultPartSchema } from './store/chats/part-schemas.js'
import { spaceSchema } from './store/chats/space.js'
import { summarySchema } from './store/chats/summary.js'
import { approvalSchema } from './store/runs/approval.js'
import { failureSchema, runSchema } from './store/runs/run.js'

/** The members that a client may rely on. More may be added. */
const openObject = (properties: Parameters<typeof Type.Object>[0], description?: string) =>
  Type.Object(properties, { additionalProperties: true, ...(description === undefined ? {} : { description }) })

const id = Type.String({ minLength: 1 })
const inRun = { chat_id: id, run_id: id }
const call = { message_id: id, part: Type.Integer({ minimum: 0 }), call_id: id }

const message = messageSchema
const chat = chatSchema
const run = runSchema
const approval = approvalSchema
const voidedText = Type.Optional(
  named(
    'VoidedText',
    openObject(
      { message_id: id, part: Type.Integer({ minimum: 0 }), offset: Type.Integer({ minimum: 0 }) },
      'The text of that message from there on is void.',
    ),
  ),
)
const failure = Type.Optional(failureSchema)
const attemptFailure = Type.Optional(Type.String({ description: 'The kind of failure: `rate_limited`, `overloaded`, `timeout`, …' }))

const modelUsageSchema = named(
  'ModelUsage',
  openObject({
    input_tokens: Type.Integer(),
    cached_input_tokens: Type.Integer(),
    cache_write_input_tokens: Type.Optional(Type.Integer()),
    output_tokens: Type.Integer(),
    reasoning_tokens: Type.Integer(),
  }),
)

const text = {
  ...inRun,
  message_id: id,
  part: Type.Integer({ minimum: 0, description: 'The index of the part in the message.' }),
  offset: Type.Integer({ minimum: 0, description: 'The offset of the text in the part, in UTF-16 code units.' }),
  text: Type.String(),
}

/** Every type of event that agents, chats and runs publish. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'run.started': {
    description: 'A run began, or resumed after a crash of its process.',
    schema: openObject({ ...inRun, agent_id: id, resumed: Type.Optional(Type.Boolean()), void: voidedText }),
  },
  'text.delta': { description: 'More text of a message.', schema: openObject(text) },
  'reasoning.delta': { description: 'More reasoning of the model.', schema: openObject(text) },
  'tool_call.delta': {
    description: 'More arguments of a tool call, the progress that the tool reports, or the output of what it runs.',
    schema: openObject({
      ...inRun,
      ...call,
      name: Type.Optional(Type.String()),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
      text: Type.Optional(Type.String()),
      progress: Type.Optional(named('ToolProgress', openObject({ message: Type.String(), fraction: Type.Optional(Type.Number()) }))),
      output: Type.Optional(
        named(
          'ToolOutput',
          openObject(
            { offset: Type.Integer({ minimum: 0, description: 'In the whole output, in UTF-16 code units.' }), text: Type.String() },
            'A piece of the output. What lies between two pieces came faster than it could be shown; the result has it.',
          ),
        ),
      ),
    }),
  },
  'tool_call.started': {
    description: 'A tool call began.',
    schema: openObject({
      ...inRun,
      ...call,
      arguments: Type.Object({}, { additionalProperties: true }),
      purpose: Type.Optional(Type.String({ description: 'What the call is for, in a few words, for people.' })),
    }),
  },
  'tool_call.finished': {
    description: 'A tool call ended.',
    schema: openObject({
      ...inRun,
      ...call,
      is_error: Type.Boolean(),
      content: Type.Array(resultPartSchema),
      outcome: Type.Optional(Type.String()),
      files: Type.Optional(Type.Array(madeFileSchema, { description: 'What the call made or changed. Absent: nothing.' })),
    }),
  },
  'approval.requested': { description: 'The run asks a person for an approval or an answer.', schema: openObject({ ...inRun, approval }) },
  'approval.resolved': {
    description: 'The person answered, or the answer is no longer needed.',
    schema: openObject({ ...inRun, approval }),
  },
  'run.retrying': {
    description: 'The model call is repeated.',
    schema: openObject({
      ...inRun,
      attempt: Type.Optional(Type.Integer({ description: 'The attempt that failed, from 1.' })),
      max_attempts: Type.Optional(Type.Integer({ description: 'How many attempts there are at most.' })),
      delay_ms: Type.Optional(Type.Number({ description: 'How long it waits before the next attempt.' })),
      next_at: Type.Optional(Type.String({ description: 'When that wait ends, by the clock of the service.' })),
      failure: attemptFailure,
      reason: Type.Optional(Type.String({ description: 'The same in words, for people.' })),
      void: voidedText,
    }),
  },
  'run.fallback': {
    description: 'Another model answers instead of the one that was requested.',
    schema: openObject({
      ...inRun,
      reason: Type.Union([Type.Literal('model_failed'), Type.Literal('model_group_unknown')]),
      failure: attemptFailure,
      detail: Type.Optional(Type.String({ description: 'What went wrong, in words, for people.' })),
      wanted: Type.Optional(Type.String()),
      used: Type.Optional(Type.String()),
      void: voidedText,
    }),
  },
  'run.reduced': {
    description:
      'The vendor refused pictures or files of the conversation (`parts`), or the model takes no tools. The model answers without them, and so do later messages at once if the refusal was clear. For tools, it comes again only after an answer with tools.',
    schema: openObject({
      ...inRun,
      provider: Type.String(),
      model: Type.String(),
      left_out: Type.Union([Type.Literal('parts'), Type.Literal('tools')]),
      count: Type.Integer({ description: 'How many pictures and files, or tools.' }),
      reason: Type.String({ description: 'Why, in the vendor’s words.' }),
    }),
  },
  'run.waiting': {
    description: 'The run waits for a person’s answers.',
    schema: openObject({
      ...inRun,
      asking: Type.Array(Type.String(), { description: 'The calls about which a person is asked.' }),
      until: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'When the questions expire.' })),
    }),
  },
  'run.stopping': { description: 'Somebody asked the run to stop. Its end follows.', schema: openObject(inRun) },
  'run.completed': { description: 'The run ended with its answer.', schema: openObject({ ...inRun, run }) },
  'run.failed': { description: 'The run failed.', schema: openObject({ ...inRun, run, failure }) },
  'run.cancelled': { description: 'The run was cancelled.', schema: openObject({ ...inRun, run, failure }) },
  'message.created': { description: 'A message was stored.', schema: openObject({ chat_id: id, run_id: Type.Optional(id), message }) },
  'message.updated': { description: 'A message changed.', schema: openObject({ chat_id: id, run_id: Type.Optional(id), message }) },
  'chat.created': {
    description: 'A chat was created or imported. Those of another product’s export come without: `chat_import.updated` counts them.',
    schema: openObject({ chat_id: id, chat }),
  },
  'chat_import.updated': {
    description: 'An import of another product’s chats began, went on, or ended.',
    schema: openObject({ import: chatImportProgressSchema }),
  },
  'chat.deleted': {
    description:
      'A chat was deleted. It can be restored until `erased_at`, which announces itself by `chat.updated`; null: it is gone for good.',
    schema: openObject({ chat_id: id, erased_at: Type.Union([Type.String(), Type.Null()]) }),
  },
  'space.updated': { description: 'A space was created or changed.', schema: openObject({ space_id: id, space: spaceSchema }) },
  'space.deleted': { description: 'A space was deleted. Its chats stay.', schema: openObject({ space_id: id }) },
  'chat.updated': {
    description: 'A chat changed.',
    schema: openObject({
      chat_id: id,
      run_id: Type.Optional(id),
      chat,
      compaction: Type.Optional(Type.Union([Type.Literal('started'), Type.Literal('done'), Type.Literal('failed')])),
      summary: Type.Optional(summarySchema),
      failure: Type.Optional(Type.Unknown({ description: 'With `compaction: failed`: what went wrong.' })),
    }),
  },
  'agent.deleted': { description: 'An agent was deleted, with its versions.', schema: openObject({ agent_id: id }) },
  'usage.recorded': {
    description: 'The usage of a model call.',
    schema: openObject({
      ...inRun,
      message_id: Type.Optional(id),
      provider: Type.String(),
      model: Type.String(),
      stop_reason: Type.Optional(Type.String()),
      usage: modelUsageSchema,
    }),
  },
}
