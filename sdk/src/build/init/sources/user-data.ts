import { camelCaseOf, snakeCaseOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** A feature that keeps what people add, with its routes. */
export const userDataSources = (id: string): PluginSources => ({
  index: indexText(id),
  test: testText(id),
})

const indexText = (id: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { defineRoute, httpRoutes, ok } from '@agent-service/sdk/contracts/http-route'
import { defineUserData, userData } from '@agent-service/sdk/contracts/user-data'
import { type Collection, databaseService, defineCollection } from '@agent-service/sdk/services/database'

interface Visit {
  readonly id: string
  readonly user_id: string
  readonly place: string
}

const visits = defineCollection<Visit>()({
  name: '${snakeCaseOf(id)}.visits',
  version: 1,
  indexes: { by_user: { fields: ['user_id'] } },
  userField: 'user_id',
})

/** All visits of a person, page by page. */
async function* visitsOf(stored: Collection<Visit>, userId: string): AsyncGenerator<Visit> {
  let cursor: string | undefined
  do {
    const page = await stored.query({ index: 'by_user', equals: [userId], ...(cursor !== undefined && { cursor }) })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

const createVisitData = (stored: Collection<Visit>) =>
  defineUserData({
    id: '${id}',
    collections: [visits.name],
    shownBy: ['${camelCaseOf(id)}List'],
    async *export(userId, { signal }) {
      for await (const { id, place } of visitsOf(stored, userId)) {
        signal.throwIfAborted()
        yield { path: \`${id}/\${id}.json\`, json: { place } }
      }
    },
    async erase(userId, { signal }) {
      for await (const { id } of visitsOf(stored, userId)) {
        signal.throwIfAborted()
        await stored.delete(id)
      }
    },
    async size(userId) {
      let records = 0
      let bytes = 0
      for await (const { place } of visitsOf(stored, userId)) {
        records += 1
        bytes += Buffer.byteLength(place)
      }
      return { records, bytes }
    },
  })

const path = '/api/plugins/${id}/visits'
const visit = Type.Object({ place: Type.String({ minLength: 1, maxLength: 200 }) })

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['http.route', 'user.data'] },
  collections: [visits],
  setup(context) {
    const stored = context.use(databaseService).collection(visits)
    context.contribute(userData, createVisitData(stored))
    context.contribute(
      httpRoutes,
      defineRoute({
        method: 'POST',
        path,
        operationId: '${camelCaseOf(id)}Add',
        summary: 'Adds a visit of the person',
        auth: 'user',
        body: { kind: 'json', schema: visit },
        answers: { 200: { description: 'The visit.', schema: visit } },
        async handle({ body, principal }) {
          await stored.put({ id: crypto.randomUUID(), user_id: principal?.userId ?? '', place: body.place })
          return ok({ place: body.place })
        },
      }),
    )
    context.contribute(
      httpRoutes,
      defineRoute({
        method: 'GET',
        path,
        operationId: '${camelCaseOf(id)}List',
        summary: 'Lists the visits of the person',
        auth: 'user',
        answers: { 200: { description: 'All of them.', schema: Type.Object({ items: Type.Array(visit) }) } },
        async handle({ principal }) {
          const items: { readonly place: string }[] = []
          for await (const { place } of visitsOf(stored, principal?.userId ?? '')) items.push({ place })
          return ok({ items })
        },
      }),
    )
  },
})
`

const testText = (id: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { ok } from '@agent-service/sdk/contracts/http-route'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { createTestContext, describeUserData, testPrincipal } from '@agent-service/sdk/testing'
import plugin from './index.js'

const route = (method: string): string => \`\${method} /api/plugins/${id}/visits\`
const as = (userId: string) => ({ ...testPrincipal, userId })

// Every rule of the contract.
describeUserData({
  name: 'visits',
  async create() {
    const test = createTestContext(plugin)
    await test.setup()
    const [data] = test.contributed(userData)
    assert.ok(data)
    return {
      data,
      database: test.services.database,
      async fill(userId) {
        for (const place of ['Town hall', 'Library']) await test.request(route('POST'), { principal: as(userId), body: { place } })
      },
      async fillMany(userId) {
        for (let visit = 0; visit <= 200; visit += 1)
          await test.request(route('POST'), { principal: as(userId), body: { place: \`Place \${visit}\` } })
      },
      secrets: [],
      restarted: 'not applicable',
      close: () => test.dispose(),
    }
  },
  runner,
})

runner.it('lists what a person has added', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  await test.request(route('POST'), { body: { place: 'Library' } })
  assert.deepEqual(await test.request(route('GET')), ok({ items: [{ place: 'Library' }] }))
  await test.dispose()
})
`
