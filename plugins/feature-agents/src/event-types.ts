import { type EventTypeDeclaration, Type } from '@agent-service/sdk'

/** What a client may rely on. Further members may come. */
const openObject = (properties: Parameters<typeof Type.Object>[0], description?: string) =>
  Type.Object(properties, { additionalProperties: true, ...(description === undefined ? {} : { description }) })

const id = Type.String({ minLength: 1 })
const inRun = { chat_id: id, run_id: id }
const call = { message_id: id, part: Type.Integer({ minimum: 0 }), call_id: id }

const message = openObject(
  { id, chat_id: id, role: Type.String(), status: Type.String() },
  'As GET /api/chats/{chat_id}/messages gives it.',
)
const chat = openObject({ id }, 'As GET /api/chats/{chat_id} gives it.')
const run = openObject({ id, status: Type.String() }, 'As GET /api/runs/{run_id} gives it.')
const approval = openObject({}, 'As GET /api/approvals gives it.')
const voidedText = Type.Optional(
  openObject(
    { message_id: id, part: Type.Integer({ minimum: 0 }), offset: Type.Integer({ minimum: 0 }) },
    'From there on, the text of that message no longer counts.',
  ),
)
const failure = Type.Optional(Type.Unknown({ description: 'What went wrong, with a code.' }))

const text = {
  ...inRun,
  message_id: id,
  part: Type.Integer({ minimum: 0, description: 'Which part of the message.' }),
  offset: Type.Integer({ minimum: 0, description: 'Where the text stands in it, in UTF-16 code units.' }),
  text: Type.String(),
}

/** Every type of event that agents, chats and runs publish. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'run.started': {
    description: 'A run began, or goes on after its process went down.',
    schema: openObject({ ...inRun, agent_id: id, resumed: Type.Optional(Type.Boolean()), void: voidedText }),
  },
  'text.delta': { description: 'More of the text of a message.', schema: openObject(text) },
  'reasoning.delta': { description: 'More of what the model thinks.', schema: openObject(text) },
  'tool_call.delta': {
    description: 'More of the arguments of a call, or what the tool says while it runs.',
    schema: openObject({
      ...inRun,
      ...call,
      name: Type.Optional(Type.String()),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
      text: Type.Optional(Type.String()),
      progress: Type.Optional(openObject({ message: Type.String(), fraction: Type.Optional(Type.Number()) })),
    }),
  },
  'tool_call.started': { description: 'A call of a tool began.', schema: openObject({ ...inRun, ...call, arguments: Type.Unknown() }) },
  'tool_call.finished': {
    description: 'A call of a tool ended.',
    schema: openObject({ ...inRun, ...call, is_error: Type.Boolean(), content: Type.Unknown(), outcome: Type.Optional(Type.String()) }),
  },
  'approval.requested': { description: 'The run asks a person.', schema: openObject({ ...inRun, approval }) },
  'approval.resolved': { description: 'The person answered, or need not any more.', schema: openObject({ ...inRun, approval }) },
  'run.retrying': {
    description: 'The call of the model is repeated.',
    schema: openObject({
      ...inRun,
      attempt: Type.Optional(Type.Integer()),
      delay_ms: Type.Optional(Type.Number()),
      failure,
      void: voidedText,
    }),
  },
  'run.fallback': {
    description: 'Another model answers than the one that was wanted.',
    schema: openObject({ ...inRun, reason: Type.String(), failure, void: voidedText }),
  },
  'run.waiting': {
    description: 'The run waits for answers of a person.',
    schema: openObject({ ...inRun, asking: Type.Array(Type.Unknown()) }),
  },
  'run.completed': { description: 'The run ended with its answer.', schema: openObject({ ...inRun, run }) },
  'run.failed': { description: 'The run ended without its answer.', schema: openObject({ ...inRun, run, failure }) },
  'run.cancelled': { description: 'The run was cancelled.', schema: openObject({ ...inRun, run, failure }) },
  'message.created': { description: 'A message was stored.', schema: openObject({ chat_id: id, run_id: Type.Optional(id), message }) },
  'message.updated': { description: 'A message changed.', schema: openObject({ chat_id: id, run_id: Type.Optional(id), message }) },
  'chat.updated': {
    description: 'A chat changed.',
    schema: openObject({ chat_id: id, run_id: Type.Optional(id), chat, compaction: Type.Optional(Type.String()) }),
  },
  'usage.recorded': {
    description: 'What a call of a model took.',
    schema: openObject({ ...inRun, message_id: Type.Optional(id), provider: Type.String(), model: Type.String(), usage: Type.Unknown() }),
  },
}
