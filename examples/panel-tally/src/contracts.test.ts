import assert from 'node:assert/strict'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { createTestContext, describeHttpRoute, describeUserData, type HttpRouteExample, testPrincipal } from '@agent-service/sdk/testing'
import { type Counter, openCounters } from './counters.js'
import plugin from './index.js'
import { createRoutes } from './routes.js'

/** A person who counts coffee and tea, and one who counts nothing. */
const ada = { ...testPrincipal, userId: 'user-1' }
const eve = { ...testPrincipal, userId: 'user-2', username: 'eve', handle: 'eve' }

const only = <T>([found]: readonly T[]): T => {
  assert.ok(found !== undefined, 'nothing was found')
  return found
}

const coffee = { params: { counter_id: 'coffee' }, principal: ada }
const missing = { title: 'one that is not there', params: { counter_id: 'milk' }, principal: ada, status: 404, code: 'not_found' }

const examples: Readonly<Record<string, readonly HttpRouteExample[]>> = {
  panelTallyListCounters: [
    {
      ...{ title: 'two counters', query: { limit: 50 }, principal: ada, status: 200 },
      check: ({ json }) => assert.deepEqual(namesIn(json), ['Coffee', 'Tea']),
    },
  ],
  panelTallyAddCounter: [
    { title: 'another one', body: { name: 'Milk' }, principal: ada, status: 201 },
    { title: 'a name that is there', body: { name: 'TEA' }, principal: ada, status: 409, code: 'panel_tally_name_taken' },
  ],
  panelTallyRenameCounter: [
    { ...coffee, title: 'another name', body: { name: 'Espresso' }, status: 200 },
    { ...coffee, title: 'the name of another', body: { name: 'tea' }, status: 409, code: 'panel_tally_name_taken' },
    { ...missing, body: { name: 'Espresso' } },
  ],
  panelTallyCount: [
    { ...coffee, title: 'one more', status: 200, check: ({ json }) => assert.ok((json as unknown as Counter).count >= 4) },
    missing,
  ],
  panelTallyRemoveCounter: [{ ...coffee, title: 'one that is there', status: 204 }, missing],
}

const namesIn = (json: unknown): readonly string[] => (json as { readonly items: readonly Counter[] }).items.map(({ name }) => name)

const counterOf = (userId: string, name: string, count: number, created_at: number): Counter => ({
  ...{ id: name.toLowerCase(), user_id: userId, name, key: name.toLowerCase() },
  ...{ count, created_at },
})

for (const [operationId, each] of Object.entries(examples))
  describeHttpRoute({
    name: operationId,
    create() {
      const { database, clock } = createTestContext(plugin).services
      const counters = openCounters(database, clock)
      return {
        route: only(createRoutes(counters).filter((route) => route.operationId === operationId)),
        async fill() {
          await counters.collection.insert(counterOf(ada.userId, 'Coffee', 3, 1))
          await counters.collection.insert(counterOf(ada.userId, 'Tea', 1, 2))
        },
        state: () =>
          (database.documents('panel_tally.counters') as readonly Counter[]).flatMap(({ user_id, name, count }) =>
            user_id === ada.userId ? [`${name}: ${count}`] : [],
          ),
      }
    },
    examples: each,
    stranger: eve,
    withheld: ['Coffee', 'coffee', 'Tea'],
    secrets: [],
  })

describeUserData({
  name: 'of the tally',
  async create() {
    const test = createTestContext(plugin)
    await test.setup()
    const { database, clock } = test.services
    const counters = openCounters(database, clock)
    return {
      data: only(test.contributed(userData)),
      database,
      async fill(userId) {
        for (const name of ['Coffee', 'Tea']) await counters.add(userId, name)
      },
      async fillMany(userId) {
        for (let row = 0; row <= 200; row += 1) await counters.add(userId, `Row ${row}`)
      },
      secrets: [],
      restarted: 'not applicable',
    }
  },
})

it('has an example of every route', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  const operations = test.contributed(httpRoutes).map((route) => route.operationId)
  assert.deepEqual(operations.sort(), Object.keys(examples).sort())
  await test.dispose()
})

it('says which field has a name that is taken, and counts two at the same time', async () => {
  const { database, clock } = createTestContext(plugin).services
  const counters = openCounters(database, clock)
  const { id } = await counters.add(ada.userId, 'Straße')
  await assert.rejects(counters.add(ada.userId, 'STRAßE'), { problems: [{ path: '/name', message: 'is the name of another counter' }] })
  await counters.add(eve.userId, 'Straße')
  await Promise.all([counters.count(ada.userId, id), counters.count(ada.userId, id)])
  assert.equal((await counters.collection.get(id))?.count, 2)
})
