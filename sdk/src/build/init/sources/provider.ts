import type { PluginSources } from './plugin-sources.js'

/** A model that repeats what it reads. */
export const providerSources = (id: string): PluginSources => {
  const word = id.replace(/^provider-/, '').replaceAll('-', '_')
  return {
    index: `import { definePlugin, Type } from '@agent-service/sdk'
import { defineProviderAdapter, type ModelRequest, providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'

const lastTextOf = ({ messages }: ModelRequest): string => {
  const last = messages.findLast(({ role }) => role === 'user')
  return (last?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join(' ')
}

export const adapter = defineProviderAdapter({
  id: 'adapter_${word}',
  protocols: [{ id: '${word}', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
  supports: { streaming: true },
  async *call(request, { signal }) {
    signal.throwIfAborted()
    const text = \`You said: \${lastTextOf(request)}\`
    yield { type: 'response.started', model: request.model }
    yield { type: 'text.delta', part: 0, text }
    yield {
      type: 'response.finished',
      content: [{ type: 'text', text }],
      stop_reason: 'stop',
      usage: { input_tokens: text.length, cached_input_tokens: 0, output_tokens: text.length, reasoning_tokens: 0, estimated: true },
    }
  },
})

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['provider.adapter'] },
  setup: (context) => context.contribute(providerAdapters, adapter),
})
`,
    test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createTestContext } from '@agent-service/sdk/testing'
import plugin from './index.js'

runner.it('offers its protocol', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  const [adapter] = test.contributed(providerAdapters)
  assert.deepEqual(adapter?.protocols.map(({ id }) => id), ['${word}'])
  assert.equal(adapter?.supports.tools, false)
  await test.dispose()
})
`,
  }
}
