import { namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import { wellFormed } from '../../common/well-formed.js'
import { type Callers, maxCallers } from './callers.js'
import type { Guests } from './guests.js'

/**
 * A part of a branch's path through its chat: the messages of `branch_id` from the sequence `from`
 * on, up to the beginning of the next segment.
 */
export type Segment = { readonly branch_id: string; readonly from: number }

/**
 * Where a chat is listed. `hidden`: nowhere; it is temporary, belongs to another chat's run, or to
 * who created it so, such as to try an agent. `deleted`: among the deleted ones, which can be restored.
 */
export type ChatListing = 'current' | 'archived' | 'hidden' | 'deleted'

/** The most tools that guests of a chat may have. */
export const maxGuestTools = 100

/**
 * Two answers to the newest message of a person, side by side, until the conversation goes on with one
 * of them. The first is that of the branch that is shown.
 */
export type Comparison = {
  readonly message_id: string
  readonly answers: readonly { readonly branch_id: string; readonly run_id: string }[]
}

/** A conversation with one agent. */
export type Chat = {
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  /** Null if the user set none, until the first message provides one. */
  readonly title: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The open run of the branch that is shown; a branch has one at a time. */
  readonly active_run_id: string | null
  /**
   * The open run of the other answer of a comparison, which writes in a branch that is not shown. A chat
   * has at most one. Absent or null: none.
   */
  readonly beside_run_id?: string | null
  /** Absent or null: nothing is compared. */
  readonly comparison?: Comparison | null
  /** The number of messages of the branch that is shown: the sequence of the next one. */
  readonly message_count: number
  /** The branch that is shown and continued. The first branch of a chat has the chat's id. */
  readonly branch_id: string
  /** The path to the end of that branch, from the first message on. Never empty. */
  readonly path: readonly Segment[]
  /** How many branches it has. */
  readonly branch_count: number
  readonly listing: ChatListing
  /** The space that it belongs to. */
  readonly space_id: string | null
  /** Whether older messages are summarised when the model's window fills up. */
  readonly compaction: boolean
  /** The model group that answers instead of the agent's; null: the agent's. */
  readonly model: string | null
  readonly pinned: boolean
  /** In the order of the person, each in its normal form; no two differ in case alone. */
  readonly tags: readonly string[]
  /**
   * `open`: after its first answer a model makes a title. `closed`: a person has set a title, or a
   * model was or is being asked for one.
   */
  readonly titling: 'open' | 'closed'
  /** What its runs may use, since others than its user write or read in it; null: they do not. Never changes. */
  readonly guests: Guests | null
  /** The agents for which its runs work. Never changes. */
  readonly callers: Callers
  /** Present: the chat is temporary, and erased so many seconds after its last activity. */
  readonly temporary?: { readonly keep_secs: number }
  /** Nothing of the memory gets into its runs, and nothing of it is remembered. */
  readonly without_memory?: true
  /** Whether it was deleted: nobody sees it, and nothing is added to it. With the listing `deleted` it can be restored. */
  readonly deleting: boolean
}

export const chatCollection = defineCollection<Chat>()({
  name: 'agents.chats',
  version: 5,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'updated_at', 'id'] },
    by_listing: { fields: ['user_id', 'listing', 'updated_at', 'id'] },
    by_space: { fields: ['space_id', 'listing', 'updated_at', 'id'] },
    by_pinned: { fields: ['user_id', 'listing', 'pinned', 'updated_at', 'id'] },
    by_space_pinned: { fields: ['space_id', 'listing', 'pinned', 'updated_at', 'id'] },
  },
  // By the creation time, which never changes, so that a new message leaves the text index as it
  // is.
  search: { fields: ['title'], scope: 'user_id', order: 'created_at' },
  migrations: [
    {
      to: 2,
      description: 'Chats have branches, an archive and spaces.',
      migrate: (chat) => ({
        ...chat,
        branch_id: chat['id'] ?? '',
        path: [{ branch_id: chat['id'] ?? '', from: 0 }],
        branch_count: 1,
        listing: 'current',
        space_id: null,
        compaction: true,
      }),
    },
    {
      to: 3,
      description: 'Chats can be pinned and tagged, have a model of their own, and get their title from a model.',
      migrate: (chat) => ({ ...chat, model: null, pinned: false, tags: [], titling: chat['title'] === null ? 'open' : 'closed' }),
    },
    { to: 4, description: 'Chats know whether guests write in them.', migrate: (chat) => ({ ...chat, guests: null }) },
    { to: 5, description: 'Chats know for which agents their runs work.', migrate: (chat) => ({ ...chat, callers: [] }) },
  ],
})

/** A new chat. */
export function newChat(chat: Pick<Chat, 'id' | 'user_id' | 'agent_id' | 'title'> & Partial<Chat>, now: string): Chat {
  return {
    created_at: now,
    updated_at: now,
    active_run_id: null,
    message_count: 0,
    branch_id: chat.id,
    path: [{ branch_id: chat.id, from: 0 }],
    branch_count: 1,
    listing: 'current',
    space_id: null,
    compaction: true,
    model: null,
    pinned: false,
    tags: [],
    titling: chat.title === null ? 'open' : 'closed',
    guests: null,
    callers: [],
    deleting: false,
    ...chat,
  }
}

/** The guests of a chat, in responses and in exported chats. */
export const guestsSchema = namedObject('ChatGuests', {
  tools: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: maxGuestTools,
    description: 'The tools that runs of the chat have, of those of its agent. They have no memory.',
  }),
})

const comparisonSchema = namedObject('ChatComparison', {
  message_id: Type.String({ description: 'The message of a person that both answer.' }),
  answers: Type.Array(namedObject('ComparedAnswer', { branch_id: Type.String(), run_id: Type.String() }), {
    minItems: 2,
    maxItems: 2,
    description: 'The answer of the chat’s own model first.',
  }),
})

/** A chat in a response. */
export const chatSchema = namedObject('Chat', {
  id: Type.String(),
  agent_id: Type.String(),
  title: Type.Union([Type.String(), Type.Null()], { examples: ['Plan for Saturday'] }),
  created_at: Type.String(),
  updated_at: Type.String(),
  active_run_id: Type.Union([Type.String(), Type.Null()], {
    examples: [null],
    description: 'The run in progress in the branch that is shown.',
  }),
  beside_run_id: Type.Union([Type.String(), Type.Null()], {
    examples: [null],
    description: 'The run in progress of the other answer of a comparison, in a branch that is not shown.',
  }),
  comparison: Type.Union([comparisonSchema, Type.Null()], {
    examples: [null],
    description:
      'Two answers to the newest message. `PATCH` with the `branch_id` of one goes on with it, also while they are written; so does the next message, with the one that is shown. The other stays as an alternative.',
  }),
  message_count: Type.Integer(),
  branch_id: Type.String(),
  branch_count: Type.Integer(),
  archived: Type.Boolean(),
  hidden: Type.Boolean({
    description: 'No list and no search shows it: it is temporary, belongs to a run of another chat, or was created so.',
  }),
  space_id: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
  compaction: Type.Boolean({ description: 'Whether older messages are summarised when the model’s window fills up.' }),
  model: Type.Union([Type.String(), Type.Null()], { description: 'The model group that answers; null: the agent’s.' }),
  pinned: Type.Boolean(),
  tags: Type.Array(Type.String()),
  guests: Type.Union([guestsSchema, Type.Null()], {
    description: 'Others than you write or read in the chat, as over a channel: nothing of it is remembered. Null: you alone.',
    examples: [null],
  }),
  callers: Type.Array(Type.String(), {
    maxItems: maxCallers,
    examples: [[]],
    description:
      'The agents for which its runs work, the first one first: each asked the next one. Network and agents that are closed to one of them are closed to every run of the chat. Empty: you alone.',
  }),
  temporary: Type.Boolean({
    description: 'No list, no search and no memory has it, and it is deleted for good at `expires_at`, unless it is kept.',
  }),
  expires_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When a temporary chat is deleted, if nothing happens in it until then and nothing of it is at work. Null: never.',
    examples: [null],
  }),
})

/** The runs that write in a chat: one in the branch that is shown, one beside it while two models are compared. */
export const runsUnderWay = ({ active_run_id, beside_run_id = null }: Pick<Chat, 'active_run_id' | 'beside_run_id'>): readonly string[] =>
  [active_run_id, beside_run_id].filter((id) => id !== null)

/** A chat as a client sees it. */
export function presentChat(chat: Chat) {
  const {
    user_id: _,
    deleting: __,
    path: ___,
    titling: ____,
    without_memory: _____,
    listing,
    guests,
    callers,
    temporary,
    comparison,
    ...rest
  } = chat
  return {
    ...rest,
    beside_run_id: chat.beside_run_id ?? null,
    comparison: comparison ? { ...comparison, answers: comparison.answers.map((answer) => ({ ...answer })) } : null,
    guests: guests && { tools: [...guests.tools] },
    callers: [...callers],
    archived: listing === 'archived',
    hidden: listing === 'hidden',
    temporary: temporary !== undefined,
    expires_at: temporary ? expiryOf(chat.updated_at, temporary) : null,
  }
}

/** When a temporary chat without further activity is erased. RFC 3339. */
export const expiryOf = (updatedAt: string, { keep_secs }: NonNullable<Chat['temporary']>): string =>
  new Date(Date.parse(updatedAt) + keep_secs * 1_000).toISOString()

/** A title from the first message: its first line, cut between words. */
export const titleFrom = (text: string): string => firstLine(text) ?? 'New chat'

/**
 * The first line of a text that is not empty, cut between words after at most 60 characters; null
 * for a text without words.
 */
export function firstLine(text: string): string | null {
  const beginning = text.slice(0, 4_000).trim() || text.trim().slice(0, 4_000)
  // Longer than any title, so that a line of megabytes costs nothing; the cut is between
  // characters.
  const line = wellFormed(beginning.split('\n', 1)[0]?.trim().slice(0, 200) ?? '')
  const characters = [...line]
  if (characters.length <= 60) return line === '' ? null : line
  const cut = characters.slice(0, 60).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > 30 ? cut.slice(0, space) : cut}…`
}
