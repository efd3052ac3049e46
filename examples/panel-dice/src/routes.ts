import { Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Table, Throw } from './table.js'

export const base = '/api/plugins/panel-dice'

/** Of the form and of the route: what the form lets through, the route takes. */
export const rulesSchema = (maxDice: number) =>
  Type.Object({
    dice: Type.Integer({ minimum: 1, maximum: maxDice, default: Math.min(2, maxDice) }),
    sides: Type.Integer({ minimum: 2, maximum: 20, default: 6 }),
  })

const thrown = Type.Object({
  id: Type.String(),
  eyes: Type.Array(Type.Integer()),
  shown: Type.String({ description: 'The eyes as text.', examples: ['3 + 5'] }),
  sum: Type.Integer(),
  at: Type.String({ description: 'RFC 3339.' }),
})
const totals = Type.Object({
  throws: Type.Integer(),
  sum: Type.Integer(),
  mean: Type.Union([Type.Number(), Type.Null()]),
  last_at: Type.Union([Type.String(), Type.Null()]),
})

const sumOf = ({ eyes }: Throw): number => eyes.reduce((sum, each) => sum + each, 0)
const viewOf = (each: Throw) => ({
  id: each.id,
  eyes: each.eyes,
  shown: each.eyes.join(' + '),
  sum: sumOf(each),
  at: new Date(each.at).toISOString(),
})
/** Routes of the level `user` are never called without a user. */
const userOf = ({ principal }: { readonly principal?: { readonly userId: string } | undefined }): string => principal?.userId ?? ''

export const createRoutes = (table: Table, maxDice: number): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: `${base}/throws`,
    operationId: 'panelDiceListThrows',
    summary: 'Lists your throws, the newest first',
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'A page of throws.', schema: pageSchema(thrown) } },
    async handle(request) {
      // A page is in the order of its keys.
      const all = table.throws(userOf(request))
      const page = pageOfList([...all.entries()], ([index]) => String(index).padStart(3, '0'), request.query)
      return ok({ items: page.items.map(([, each]) => viewOf(each)), next_cursor: page.next_cursor })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/throws`,
    operationId: 'panelDiceThrow',
    summary: 'Throws the dice',
    auth: 'user',
    answers: { 201: { description: 'The throw.', schema: thrown } },
    handle: async (request) => created(viewOf(table.roll(userOf(request)))),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${base}/throws`,
    operationId: 'panelDiceClear',
    summary: 'Forgets all your throws',
    auth: 'user',
    answers: { 204: { description: 'They are gone.' } },
    async handle(request) {
      table.clear(userOf(request))
      return noContent()
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${base}/throws/{throw_id}`,
    operationId: 'panelDiceForget',
    summary: 'Forgets one of your throws',
    auth: 'user',
    params: Type.Object({ throw_id: Type.String() }),
    answers: { 204: { description: 'It is gone.' } },
    async handle(request) {
      if (!table.forget(userOf(request), request.params.throw_id)) throw notFoundError.create({ what: 'throw' })
      return noContent()
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/totals`,
    operationId: 'panelDiceTotals',
    summary: 'Sums up your throws',
    auth: 'user',
    answers: { 200: { description: 'The totals.', schema: totals } },
    async handle(request) {
      const all = table.throws(userOf(request))
      const sum = all.reduce((before, each) => before + sumOf(each), 0)
      const last = all[0]
      return ok({
        throws: all.length,
        sum,
        mean: all.length === 0 ? null : Math.round((sum / all.length) * 100) / 100,
        last_at: last ? new Date(last.at).toISOString() : null,
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/rules`,
    operationId: 'panelDiceReadRules',
    summary: 'Reads how you throw',
    auth: 'user',
    answers: { 200: { description: 'The rules.', schema: rulesSchema(maxDice) } },
    handle: async (request) => ok({ ...table.rules(userOf(request)) }),
  }),
  defineRoute({
    method: 'PUT',
    path: `${base}/rules`,
    operationId: 'panelDiceSetRules',
    summary: 'Sets how you throw',
    auth: 'user',
    body: { kind: 'json', schema: rulesSchema(maxDice) },
    answers: { 200: { description: 'The rules.', schema: rulesSchema(maxDice) } },
    async handle(request) {
      table.setRules(userOf(request), request.body)
      return ok({ ...request.body })
    },
  }),
]
