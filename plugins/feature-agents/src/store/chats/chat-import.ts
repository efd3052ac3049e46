import { instant, namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import { type Product, products } from '../../common/products.js'

/** `waiting`: no process works on it yet. The last three are final. */
export type ChatImportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** Something that was not imported as it is in the file, and where it is. */
export type ChatImportProblem = {
  /** The file in the export. */
  readonly file: string
  /** The number of the chat in that file, from 1; null: the file as a whole. */
  readonly chat: number | null
  readonly title: string | null
  /** `skipped`: the chat was not imported. `note`: it was, but for this. */
  readonly kind: 'skipped' | 'note'
  readonly message: string
}

/** The import of an export of another product, from its order to its end and as long as it is shown. */
export type ChatImport = {
  readonly id: string
  readonly user_id: string
  /** The name of the user's folder. */
  readonly handle: string
  /** Of the file: `files/…` or `workspaces/…`. */
  readonly path: string
  readonly etag: string
  /** Whether the file is removed when its import is done. */
  readonly removes_file: boolean
  readonly state: ChatImportState
  readonly product: Product | null
  /** What was read of the files with chats, unpacked. */
  readonly bytes_done: number
  readonly bytes_total: number
  readonly imported: number
  readonly existing: number
  readonly skipped: number
  readonly pictures: number
  readonly problems: readonly ChatImportProblem[]
  /** How many more problems there are than are kept. */
  readonly problems_left_out: number
  /** Why it failed as a whole. */
  readonly failure: string | null
  /** Where it goes on after a restart: the index of the file, and how many chats of it are through. */
  readonly position: { readonly file: number; readonly chats: number }
  /** Grows with each change, so that of two processes only one goes on. */
  readonly step: number
  readonly created_at: string
  readonly updated_at: string
}

export const chatImportCollection = defineCollection<ChatImport>()({
  name: 'agents.chat_imports',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_state: { fields: ['state', 'id'] } },
})

export const isUnfinished = ({ state }: Pick<ChatImport, 'state'>): boolean => state === 'waiting' || state === 'running'

/** The most problems that are kept. */
export const maxProblems = 200

const problemSchema = namedObject('ChatImportProblem', {
  file: Type.String({ examples: ['conversations.json'] }),
  chat: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The number of the chat in that file, from 1; null: the file as a whole.',
  }),
  title: Type.Union([Type.String(), Type.Null()], { examples: ['Trip'] }),
  kind: Type.Union([Type.Literal('skipped'), Type.Literal('note')], {
    description: '`skipped`: the chat was not imported. `note`: it was, or was there already, but for this.',
  }),
  message: Type.String({ examples: ['message 3 has no author'] }),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const progress = {
  id: Type.String(),
  path: Type.String({ examples: ['files/imports/chatgpt-export.zip'] }),
  state: Type.Union(
    (['waiting', 'running', 'done', 'failed', 'cancelled'] as const).map((state) => Type.Literal(state)),
    { description: '`done`, `failed` and `cancelled` are final; what was imported until then stays.' },
  ),
  product: Type.Union([...products.map((product) => Type.Literal(product)), Type.Null()], {
    description: 'Recognised by the content; null until the first chat was read.',
  }),
  bytes_done: count('How much was read of the files with chats, unpacked.'),
  bytes_total: count('0 until the file was opened.'),
  imported: count('Chats that are new here.'),
  existing: count('Chats that were here from an earlier import, and were left as they are.'),
  skipped: count('Chats that could not be imported.'),
  pictures: count('Pictures and other files that were stored.'),
  failure: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed as a whole.', examples: [null] }),
  created_at: instant(),
  updated_at: instant(),
}

/** How far an import is, in events: without what could not be imported. */
export const chatImportProgressSchema = namedObject('ChatImportProgress', progress)

/** An import in a response. */
export const chatImportSchema = namedObject('ChatImport', {
  ...progress,
  problems: Type.Array(problemSchema, { maxItems: maxProblems }),
  problems_left_out: count('How many more problems there are.'),
})

/** An import as events have it. */
export function presentProgress(stored: ChatImport) {
  const {
    user_id: _,
    handle: __,
    etag: ___,
    removes_file: ____,
    position: _____,
    step: ______,
    problems: _______,
    problems_left_out: ________,
    ...rest
  } = stored
  return rest
}

/** An import as a client sees it. */
export function presentChatImport(stored: ChatImport) {
  const { problems, problems_left_out } = stored
  return { ...presentProgress(stored), problems: problems.map((problem) => ({ ...problem })), problems_left_out }
}
