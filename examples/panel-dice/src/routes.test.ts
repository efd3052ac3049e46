import assert from 'node:assert/strict'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { createTestClock, createTestContext, describeHttpRoute, type HttpRouteExample, testPrincipal } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { createRoutes } from './routes.js'
import { createTable } from './table.js'

/** A person with a throw of five dice and rules of their own, and one without. */
const ada = { ...testPrincipal, userId: 'user-1' }
const eve = { ...testPrincipal, userId: 'user-2', username: 'eve', handle: 'eve' }
const of = { principal: ada }

const examples: Readonly<Record<string, readonly HttpRouteExample[]>> = {
  panelDiceListThrows: [
    {
      ...of,
      ...{ title: 'the only throw', query: { limit: 50 }, status: 200 },
      check: ({ json }) => assert.equal((json as { readonly items: readonly unknown[] }).items.length, 1),
    },
  ],
  panelDiceThrow: [{ ...of, title: 'a throw', status: 201 }],
  panelDiceClear: [{ ...of, title: 'all throws', status: 204 }],
  panelDiceForget: [
    { ...of, title: 'the only throw', params: { throw_id: 'first' }, status: 204 },
    { ...of, title: 'one that is not there', params: { throw_id: 'none' }, status: 404, code: 'not_found' },
  ],
  panelDiceTotals: [
    {
      ...of,
      ...{ title: 'of one throw', status: 200 },
      check({ json }) {
        const { throws, sum, mean, last_at } = json as {
          readonly throws: number
          readonly sum: number
          readonly mean: number
          readonly last_at: string
        }
        assert.deepEqual([throws, mean, last_at], [1, sum, '2026-01-01T00:00:00.000Z'])
      },
    },
  ],
  panelDiceReadRules: [{ ...of, title: 'the rules', status: 200, check: ({ json }) => assert.deepEqual(json, { dice: 5, sides: 20 }) }],
  panelDiceSetRules: [{ ...of, title: 'other rules', body: { dice: 3, sides: 6 }, status: 200 }],
}

/** A table at which that person has thrown once. */
function createUsedTable() {
  const table = createTable(createTestClock())
  table.setRules(ada.userId, { dice: 5, sides: 20 })
  const { id } = table.roll(ada.userId)
  return { ...table, forget: (userId: string, wanted: string) => table.forget(userId, wanted === 'first' ? id : wanted) }
}

for (const [operationId, each] of Object.entries(examples))
  describeHttpRoute({
    name: operationId,
    create() {
      const table = createUsedTable()
      const route = createRoutes(table, 6).find((candidate) => candidate.operationId === operationId)
      assert.ok(route)
      return { route, state: () => ({ ...table.rules(ada.userId), throws: table.throws(ada.userId).length }) }
    },
    examples: each,
    stranger: eve,
    withheld: ['"sides":20', '"throws":1'],
    secrets: [],
  })

it('has an example of every route', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  const operations = test.contributed(httpRoutes).map((route) => route.operationId)
  assert.deepEqual(operations.sort(), Object.keys(examples).sort())
  await test.dispose()
})
