import type { PluginSources } from './plugin-sources.js'

/** A route that keeps notes of people. */
export const routeSources = (id: string): PluginSources => {
  const owner = id.replaceAll('-', '_')
  const operation = id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return {
    index: `import { definePlugin, Type } from '@agent-service/sdk'
import { defineRoute, httpRoutes, ok } from '@agent-service/sdk/contracts/http-route'
import { defineUserData, userData } from '@agent-service/sdk/contracts/user-data'
import { databaseService, defineCollection } from '@agent-service/sdk/services/database'

interface Note {
  readonly id: string
  readonly user_id: string
  readonly text: string
}

const notes = defineCollection<Note>()({
  name: '${owner}.notes',
  version: 1,
  indexes: { by_user: { fields: ['user_id'] } },
  userField: 'user_id',
})

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['http.route', 'user.data'] },
  collections: [notes],
  setup(context) {
    const stored = context.use(databaseService).collection(notes)
    const noteOf = async (userId: string) => (await stored.query({ index: 'by_user', equals: [userId], limit: 1 })).items[0]

    context.contribute(
      httpRoutes,
      defineRoute({
        method: 'PUT',
        path: '/api/plugins/${id}/note',
        operationId: '${operation}PutNote',
        summary: 'Keeps one note of the person',
        auth: 'user',
        body: { kind: 'json', schema: Type.Object({ text: Type.String({ maxLength: 10_000 }) }) },
        answers: { 200: { description: 'The note.' } },
        async handle({ body, principal }) {
          const userId = principal?.userId ?? ''
          await stored.put({ id: userId, user_id: userId, text: body.text })
          return ok({ text: body.text })
        },
      }),
    )
    context.contribute(
      userData,
      defineUserData({
        id: '${id}',
        collections: [notes.name],
        async *export(userId) {
          const note = await noteOf(userId)
          if (note) yield { path: '${id}/note.json', json: { text: note.text } }
        },
        erase: async (userId) => void (await stored.delete(userId)),
        async size(userId) {
          const note = await noteOf(userId)
          return { records: note ? 1 : 0, bytes: note ? Buffer.byteLength(note.text) : 0 }
        },
      }),
    )
  },
})
`,
    test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { createTestContext, describeUserData, testPrincipal } from '@agent-service/sdk/testing'
import plugin from './index.js'

// Every rule of the contract of what is kept of people.
describeUserData({
  name: 'note',
  async create() {
    const test = createTestContext(plugin)
    await test.setup()
    const [data] = test.contributed(userData)
    assert.ok(data)
    return {
      data,
      fill: async (userId) => {
        await test.request('PUT /api/plugins/${id}/note', { principal: { ...testPrincipal, userId }, body: { text: 'Buy bread' } })
      },
      close: () => test.dispose(),
    }
  },
  runner,
})

runner.it('keeps a note, and erases it with its person', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  const answer = await test.request('PUT /api/plugins/${id}/note', { body: { text: 'Buy bread' } })
  assert.equal(answer.status, 200)
  const [data] = test.contributed(userData)
  const signal = new AbortController().signal
  assert.equal((await data?.size('user-1', { signal }))?.records, 1)
  await data?.erase('user-1', { signal })
  assert.equal((await data?.size('user-1', { signal }))?.records, 0)
  await test.dispose()
})
`,
  }
}
