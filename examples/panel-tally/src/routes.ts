import { Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { type Counter, type Counters, nameTakenError } from './counters.js'

const base = '/api/plugins/panel-tally/counters'
const params = Type.Object({ counter_id: Type.String() })
const naming = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 60, description: 'Of no other counter of yours, whatever its case.' }),
})
const shown = Type.Object({ id: Type.String(), name: Type.String(), count: Type.Integer() })
const viewOf = ({ id, name, count }: Counter) => ({ id, name, count })
const answer = { description: 'The counter.', schema: shown }

/** Routes of the level `user` are never called without a user. */
const userOf = ({ principal }: { readonly principal?: { readonly userId: string } | undefined }): string => principal?.userId ?? ''

export const createRoutes = (counters: Counters): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: base,
    operationId: 'panelTallyListCounters',
    summary: 'Lists what you count, the oldest first',
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'A page of counters.', schema: pageSchema(shown) } },
    async handle(request) {
      const page = await pageOfIndex(counters.collection, { index: 'by_user', equals: [userOf(request)] }, request.query)
      return ok({ items: page.items.map(viewOf), next_cursor: page.next_cursor })
    },
  }),
  defineRoute({
    method: 'POST',
    path: base,
    operationId: 'panelTallyAddCounter',
    summary: 'Begins to count something',
    auth: 'user',
    body: { kind: 'json', schema: naming },
    errors: [nameTakenError],
    answers: { 201: answer },
    handle: async (request) => created(viewOf(await counters.add(userOf(request), request.body.name))),
  }),
  defineRoute({
    method: 'PATCH',
    path: `${base}/{counter_id}`,
    operationId: 'panelTallyRenameCounter',
    summary: 'Renames a counter',
    auth: 'user',
    params,
    body: { kind: 'json', schema: naming },
    errors: [nameTakenError],
    answers: { 200: answer },
    handle: async (request) => ok(viewOf(await counters.rename(userOf(request), request.params.counter_id, request.body.name))),
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/{counter_id}/count`,
    operationId: 'panelTallyCount',
    summary: 'Counts one more',
    auth: 'user',
    params,
    answers: { 200: answer },
    handle: async (request) => ok(viewOf(await counters.count(userOf(request), request.params.counter_id))),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${base}/{counter_id}`,
    operationId: 'panelTallyRemoveCounter',
    summary: 'Deletes a counter',
    auth: 'user',
    params,
    answers: { 204: { description: 'It is gone.' } },
    async handle(request) {
      await counters.remove(userOf(request), request.params.counter_id)
      return noContent()
    },
  }),
]
