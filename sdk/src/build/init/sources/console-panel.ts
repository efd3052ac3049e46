import { camelCaseOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** A page of the console with a form. */
export const consolePanelSources = (id: string): PluginSources => ({
  index: indexText(id),
  test: testText(id),
})

const indexText = (id: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { consolePanels, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'
import { defineRoute, httpRoutes, ok } from '@agent-service/sdk/contracts/http-route'

const path = '/api/plugins/${id}/greeting'
const greeting = Type.Object({ text: Type.String({ minLength: 1, maxLength: 100, default: 'Hello' }) })
const answers = { 200: { description: 'The greeting.', schema: greeting } }

export const panel = defineConsolePanel({
  id: '${id}',
  title: { en: 'Greeting', de: 'Gruß' },
  group: 'main',
  content: {
    kind: 'sections',
    sections: [
      { kind: 'text', text: { en: 'How this service greets.', de: 'Wie dieser Dienst grüßt.' } },
      {
        kind: 'form',
        schema: greeting,
        fields: { text: { label: { en: 'Words', de: 'Worte' } } },
        load: path,
        save: { method: 'PUT', path },
        action: { en: 'Save', de: 'Speichern' },
        done: { en: 'Saved.', de: 'Gespeichert.' },
      },
    ],
  },
})

/** The routes that the panel calls. The greeting lasts as long as the plugin runs. */
export function createRoutes() {
  let text = 'Hello'
  const read = defineRoute({
    method: 'GET',
    path,
    operationId: '${camelCaseOf(id)}Read',
    summary: 'Reads the greeting',
    auth: 'user',
    answers,
    handle: async () => ok({ text }),
  })
  const write = defineRoute({
    method: 'PUT',
    path,
    operationId: '${camelCaseOf(id)}Set',
    summary: 'Sets the greeting',
    auth: 'user',
    body: { kind: 'json', schema: greeting },
    answers,
    async handle({ body }) {
      text = body.text
      return ok({ text })
    },
  })
  return [read, write]
}

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['http.route', 'console.panel'] },
  setup(context) {
    for (const route of createRoutes()) context.contribute(httpRoutes, route)
    context.contribute(consolePanels, panel)
  },
})
`

const testText = (id: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { ok } from '@agent-service/sdk/contracts/http-route'
import { createTestContext, describeConsolePanel } from '@agent-service/sdk/testing'
import plugin, { createRoutes, panel } from './index.js'

// Every rule of the contract.
describeConsolePanel({ name: 'greeting', create: () => panel, routes: createRoutes(), runner })

runner.it('keeps what was saved', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  await test.request('PUT /api/plugins/${id}/greeting', { body: { text: 'Good day' } })
  assert.deepEqual(await test.request('GET /api/plugins/${id}/greeting'), ok({ text: 'Good day' }))
  await test.dispose()
})
`
