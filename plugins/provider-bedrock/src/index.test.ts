import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { secretsService } from '@agent-service/sdk/services/secrets'
import { createTestContext, outcomeOf, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { converseRequest } from './test-support/adapter.js'

describe('the plugin', () => {
  it('contributes its adapter, reads variables through the secrets service, and ends its calls when it stops', async () => {
    const asked = new Set<string>()
    const secrets = {
      resolve(text: string) {
        asked.add(text)
        return text === `\${AWS_BEARER_TOKEN_BEDROCK}` ? { value: ' bearer-of-the-environment\n' } : { missing: text }
      },
      protect: () => undefined,
    }
    const test = createTestContext<unknown>({ config: {}, services: [[secretsService, secrets]] })
    await plugin.setup(test.context as Parameters<typeof plugin.setup>[0])
    const [adapter] = test.contributed(providerAdapters)
    if (!adapter) throw new Error('There is no adapter.')
    const server = await startReplayServer(() => ({ pieces: [], unanswered: 'hold' }))
    try {
      const request = converseRequest(server.baseUrl)
      const { apiKey: _, ...connection } = request.connection
      const call = outcomeOf(adapter, { ...request, connection })
      while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
      expect(server.seen[0]?.headers['authorization']).to.equal('Bearer bearer-of-the-environment')
      await test.dispose()
      expect((await call).error?.details['failure']).to.equal('transport')
      expect([...asked]).to.include(`\${AWS_BEARER_TOKEN_BEDROCK}`)
    } finally {
      await server.close()
    }
  })

  it('lists its permissions in the manifest', () => {
    expect(plugin.manifest.permissions?.map(({ kind }) => kind)).to.deep.equal(['network', 'environment', 'files', 'process'])
  })
})
