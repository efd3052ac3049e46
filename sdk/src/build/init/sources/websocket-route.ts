import type { PluginSources } from './plugin-sources.js'

/** A WebSocket that answers each greeting. */
export const websocketRouteSources = (id: string): PluginSources => ({
  index: `import { definePlugin, Type } from '@agent-service/sdk'
import { defineWebSocketRoute, websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'

export const createTalk = () =>
  defineWebSocketRoute({
    path: '/api/plugins/${id}/talk',
    operationId: '${id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Talk',
    summary: 'Answers what is said',
    auth: 'user',
    messages: {
      kind: 'json',
      inbound: Type.Object({ say: Type.String({ maxLength: 1_000 }) }),
      outbound: Type.Object({ said: Type.String() }),
    },
    async handle({ request, messages, send }) {
      const person = request.principal?.username ?? 'a guest'
      for await (const { json } of messages) await send({ kind: 'json', json: { said: \`\${person}: \${json.say}\` } })
    },
  })

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['websocket.route'] },
  setup: (context) => context.contribute(websocketRoutes, createTalk()),
})
`,
  test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'
import { createTestContext, describeWebSocketRoute } from '@agent-service/sdk/testing'
import plugin, { createTalk } from './index.js'

// Every rule of the contract.
describeWebSocketRoute({
  create: createTalk,
  examples: [{ title: 'a word', sends: [{ kind: 'json', json: { say: 'Hello' } }], receives: 1 }],
  runner,
})

runner.it('is contributed', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.equal(test.contributed(websocketRoutes).length, 1)
  await test.dispose()
})
`,
})
