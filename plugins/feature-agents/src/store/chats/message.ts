import { namedObject, Type } from '@agent-service/sdk'
import type { ContentPart, FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { AnswerFallback } from '@agent-service/sdk/services/inference'
import { alternativesSchema } from './alternatives.js'
import { type MadeFile, madeFileSchema } from './made-file.js'
import { partSchema } from './part-schemas.js'

/**
 * `open`: still growing. `partial`: the answer broke off, and its text so far is kept. `failed`: it
 * broke off before any text came.
 */
export type MessageStatus = 'open' | 'complete' | 'partial' | 'failed'

/**
 * The origin of a file that a person attached. The message has its content at that time, if a model
 * can be shown it.
 */
export type Attachment = {
  readonly name: string
  /** Below the person's own folder: `files/…` or `workspaces/…`. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /**
   * The entity tag of the file when it was read: a different one means that the file has changed
   * since.
   */
  readonly etag?: string
  /**
   * Where it lies for agents that read their workspace, at most once in each:
   * `workspaces/assistant/attachments/menu.pdf`. Absent: no such agent was to answer.
   */
  readonly workspace_paths?: readonly string[]
}

/** The agent that wrote a message in the place of the user: it asks another one, or itself later. */
export type MessageSender = {
  /** Null: an agent of the service from which the chat was imported. */
  readonly agent_id: string | null
  /** Its name then; null: it was deleted before. */
  readonly name: string | null
}

/** What of the conversation an answer was given without, because the vendor refused it. */
export type LeftOut = {
  /** Pictures and files, or all tools of the agent. */
  readonly what: 'parts' | 'tools'
  readonly count: number
  /** In the vendor's words. */
  readonly reason: string
}

/** One message of a chat. */
export type Message = {
  readonly id: string
  readonly chat_id: string
  /** The branch in which it was written; branches that fork after it share it. */
  readonly branch_id: string
  readonly user_id: string
  /** The run that it started or that wrote it. */
  readonly run_id: string
  readonly role: 'user' | 'assistant' | 'tool'
  /** Only of the role `user`. Absent: the user wrote it, or a guest of the chat. */
  readonly sent_by?: MessageSender
  readonly status: MessageStatus
  readonly content: readonly ContentPart[]
  /** The origins of the first parts of `content`, in their order. Absent without attachments. */
  readonly attachments?: readonly Attachment[]
  /** Only of the role `tool`: what its calls made or changed, in the order of their results. Absent: nothing. */
  readonly made_files?: readonly MadeFile[]
  /**
   * The model group that the person has chosen for the answer. Absent: the chat's or the agent's.
   */
  readonly model?: string
  /** The run that answers it in a branch of its own, beside the other one. Absent: nothing was compared. */
  readonly compared_run_id?: string
  /** Only of answers. Absent: the vendor refused no parts for the first time, and the model takes tools. */
  readonly left_out?: readonly LeftOut[]
  /** Only of answers. Absent: the wanted model answered. */
  readonly fallback?: AnswerFallback
  /** The place in the conversation, from 0; unique in its branch. */
  readonly sequence: number
  readonly created_at: string
  /**
   * Finds the message when its request is repeated, even if the response was lost in a crash:
   * `{user id}/{Idempotency-Key}` of an HTTP request, for a day, or `run:{user id}/{key}` of a
   * start by another part of the service, forever.
   */
  readonly client_key?: string
  /**
   * A hash of the options of a keyed request besides its message: the same key with another hash is
   * refused.
   */
  readonly client_hash?: string
}

export const messageCollection = defineCollection<Message>()({
  name: 'agents.messages',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_branch: { fields: ['branch_id', 'sequence'], unique: true },
    by_client_key: { fields: ['client_key'], unique: true },
    of_chat: { fields: ['chat_id', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
  },
  search: { fields: ['content.text'], scope: 'user_id', order: 'created_at' },
  migrations: [
    {
      to: 2,
      description: 'Messages know their branch.',
      migrate: (message) => ({ ...message, branch_id: message['chat_id'] ?? '' }),
    },
  ],
})

const textInput = namedObject('TextInput', {
  type: Type.Literal('text'),
  text: Type.String({ minLength: 1, maxLength: 4_000_000, examples: ['What is in this file?'] }),
})

/** The most files of one message. */
export const maxAttachments = 20

/** Who answers, as a request names it with a message or instead of an answer. */
export const choiceSchema = Type.Object({
  agent_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The agent that answers, and the agent of the chat from now on. Default: the chat’s.',
    }),
  ),
  model: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
      description:
        'The model group that answers, and that of the chat from now on; null: the agent’s. An answer that is regenerated has it again. Default: the chat’s, else the agent’s.',
    }),
  ),
})

/** Files of a message, as a request names them. */
export const attachmentsSchema = Type.Array(
  namedObject('AttachmentInput', {
    path: Type.String({
      minLength: 1,
      maxLength: 2_100,
      examples: ['files/menu.pdf'],
      description: 'One of your files: `files/…` or `workspaces/…`.',
    }),
  }),
  { maxItems: maxAttachments, description: 'Files to give to the agent, as they are now.' },
)

/** The body of a posted message: text or text parts, and files. */
export const messageInputSchema = namedObject('CreateMessage', {
  content: Type.Optional(
    Type.Union([Type.String({ maxLength: 4_000_000 }), Type.Array(textInput, { minItems: 1, maxItems: 100 })], {
      examples: ['What should I cook on Saturday?'],
      description: 'May be absent or an empty string if there are attachments.',
    }),
  ),
  attachments: Type.Optional(attachmentsSchema),
  ...choiceSchema.properties,
  compare_with: Type.Optional(
    namedObject(
      'CompareWith',
      {
        model: Type.String({
          minLength: 1,
          maxLength: 100,
          examples: ['second'],
          description: 'The model group that answers as well. It does not become the choice of the chat.',
        }),
      },
      {
        description:
          'Another model answers at the same time, in a branch of its own: see `comparison` of the chat. In both answers the agent has only tools that read, and asks no questions, so that two agents never change the same things at once. 409 `run_in_progress` while an answer of the chat is in progress.',
      },
    ),
  ),
  replaces: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A message of a person: the chat continues from its place, in a new branch.',
    }),
  ),
})

const senderSchema = namedObject(
  'MessageSender',
  {
    agent_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Null: an agent of the service from which the chat was imported.',
    }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Its name then; null: it was deleted before.', examples: ['Planner'] }),
  },
  {
    description:
      'Of the role `user`: the agent that wrote it in your place, by `delegate` or for a task. Absent: you, or a guest of the chat.',
  },
)

const fallbackSchema = namedObject(
  'AnswerFallback',
  {
    reason: Type.Union([Type.Literal('model_failed'), Type.Literal('model_group_unknown')]),
    wanted: Type.String({ description: 'The model that was to answer, or the group that does not exist.', examples: ['work/large'] }),
    used: Type.String({ description: 'The model that answered, or the group that was used.', examples: ['spare/small'] }),
    failure: Type.Optional(Type.String({ description: 'How the wanted model failed: `rate_limited`, `overloaded`, `timeout`, …' })),
    detail: Type.Optional(Type.String({ description: 'Why, in the vendor’s words, shortened.' })),
  },
  { description: 'Another model than the wanted one gave this answer. Absent: the wanted one did.' },
)

/** A message in a response. */
export const messageSchema = namedObject('Message', {
  id: Type.String(),
  chat_id: Type.String(),
  branch_id: Type.String(),
  run_id: Type.String(),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('tool')]),
  sent_by: Type.Optional(senderSchema),
  status: Type.Union([Type.Literal('open'), Type.Literal('complete'), Type.Literal('partial'), Type.Literal('failed')]),
  content: Type.Array(partSchema),
  made_files: Type.Optional(
    Type.Array(madeFileSchema, {
      description: 'Of the role `tool`: the files that its calls made or changed, as they were then. For people; absent if there are none.',
    }),
  ),
  model: Type.Optional(Type.String({ description: 'The model group that the person has chosen for the answer.' })),
  compared_run_id: Type.Optional(
    Type.String({ description: 'The run that answered it as well, in a branch of its own, for a comparison.' }),
  ),
  left_out: Type.Optional(
    Type.Array(
      namedObject('LeftOut', {
        what: Type.Union([Type.Literal('parts'), Type.Literal('tools')], { description: 'Pictures and files, or all tools of the agent.' }),
        count: Type.Integer(),
        reason: Type.String({ description: 'In the vendor’s words.' }),
      }),
      {
        description:
          'What the vendor refused when this answer was asked for: the answer was given without it, and later ones are too. `tools` is in each of them.',
      },
    ),
  ),
  fallback: Type.Optional(fallbackSchema),
  sequence: Type.Integer(),
  created_at: Type.String(),
  alternatives: Type.Optional(alternativesSchema),
  event_id: Type.Optional(Type.String({ description: 'On an open message: stream with this id as `after` to continue without a gap.' })),
})

/** A part as clients see it. An attached file has its origin instead of its bytes. */
export type PresentedPart = ContentPart | (Pick<ImagePart | FilePart, 'type' | 'media_type'> & Attachment)

/** A message as a client sees it. */
export type PresentedMessage = Omit<Message, 'user_id' | 'client_key' | 'client_hash' | 'attachments' | 'content'> & {
  readonly content: readonly PresentedPart[]
}

/**
 * A message without internal members. Opaque reasoning data is meant for its vendor and is removed.
 */
export function presentMessage(message: Message): Omit<Message, 'user_id' | 'client_key' | 'client_hash' | 'attachments'> {
  const { user_id: _, client_key: __, client_hash: ___, attachments: ____, ...rest } = message
  return { ...rest, content: message.content.map(presentPart) }
}

/**
 * A message for lists and events, which stay small: as {@link presentMessage}, without the bytes of
 * attachments.
 */
export function listedMessage(message: Message): PresentedMessage {
  const { attachments = [] } = message
  const presented = presentMessage(message)
  if (attachments.length === 0) return presented
  return { ...presented, content: presented.content.map((part, index) => withoutBytes(part, attachments[index])) }
}

function withoutBytes(part: ContentPart, attachment: Attachment | undefined): PresentedPart {
  if (!attachment || (part.type !== 'image' && part.type !== 'file')) return part
  return { type: part.type, media_type: part.media_type, ...attachment }
}

function presentPart(part: ContentPart): ContentPart {
  if (part.type === 'file') {
    const { as_text: __, ...file } = part
    return file
  }
  if (!('opaque' in part)) return part
  const { opaque: _, ...rest } = part
  return rest
}
