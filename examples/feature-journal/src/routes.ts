import { randomUUID } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import {
  accepted,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { NotebookChanges } from './notebook-tools.js'
import type { StartReflection } from './reflections.js'
import { type Entry, type Journal, ofUser } from './store.js'

const base = '/api/plugins/feature-journal'
const name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,29}$', description: 'The name of a notebook.' })
const written = Type.Object({
  id: Type.String(),
  notebook: Type.String(),
  text: Type.String(),
  chat_id: Type.Union([Type.String(), Type.Null()]),
  written_at: Type.String({ description: 'RFC 3339.' }),
})
const viewOf = ({ id, notebook, text, chat_id, written_at }: Entry) => {
  return { id, notebook, text, chat_id, written_at: new Date(written_at).toISOString() }
}
/** Routes of the level `user` are never called without a user. */
const userOf = ({ principal }: { readonly principal?: { readonly userId: string } | undefined }): string => principal?.userId ?? ''

export const createRoutes = (journal: Journal, clock: Clock, changes: NotebookChanges, reflect: StartReflection): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: `${base}/entries`,
    operationId: 'featureJournalListEntries',
    summary: 'Lists the journal, the newest first',
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'A page of entries.', schema: pageSchema(written) } },
    async handle(request) {
      const page = await pageOfIndex(journal.entries, { ...ofUser(userOf(request)), order: 'descending' }, request.query)
      return ok({ items: page.items.map(viewOf), next_cursor: page.next_cursor })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/entries`,
    operationId: 'featureJournalWriteEntry',
    summary: 'Writes into the journal',
    auth: 'user',
    idempotent: true,
    body: { kind: 'json', schema: Type.Object({ notebook: name, text: Type.String({ minLength: 1, maxLength: 2_000 }) }) },
    answers: { 201: { description: 'The entry.', schema: written } },
    async handle(request) {
      const entry = { id: randomUUID(), user_id: userOf(request), ...request.body, chat_id: null, written_at: clock.now() }
      await journal.write(entry)
      return created(viewOf(entry))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${base}/notebooks/{name}`,
    operationId: 'featureJournalOpenNotebook',
    summary: 'Opens a notebook, which agents can then write in',
    auth: 'user',
    params: Type.Object({ name }),
    answers: { 204: { description: 'It is open.' } },
    async handle(request) {
      const userId = userOf(request)
      await journal.notebooks.put({ id: `${userId}/${request.params.name}`, user_id: userId, name: request.params.name })
      changes.report(userId)
      return noContent()
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${base}/notebooks/{name}`,
    operationId: 'featureJournalCloseNotebook',
    summary: 'Closes a notebook; its entries stay',
    auth: 'user',
    params: Type.Object({ name }),
    answers: { 204: { description: 'It is closed.' } },
    async handle(request) {
      const userId = userOf(request)
      if (!(await journal.notebooks.delete(`${userId}/${request.params.name}`))) throw notFoundError.create({ what: 'notebook' })
      changes.report(userId)
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/reflections`,
    operationId: 'featureJournalReflect',
    summary: 'Lets the agent reflect on a day, once for each day',
    auth: 'user',
    body: { kind: 'json', schema: Type.Object({ day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) }) },
    answers: { 202: { description: 'The run of the reflection.', schema: Type.Object({ run_id: Type.String(), chat_id: Type.String() }) } },
    async handle(request) {
      const run = await reflect(userOf(request), request.body.day, request.signal)
      return accepted({ run_id: run.id, chat_id: run.chatId })
    },
  }),
]
