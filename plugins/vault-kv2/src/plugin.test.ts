import { type VaultConnection, vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

describe('the plugin vault-kv2', () => {
  it('contributes the connector, which asks for local addresses only for connections of the deployment', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    const connector = test.contributed(vaultConnectors)[0]
    expect(connector?.id).to.equal('kv2')
    test.services.httpClient.respond(() => ({ status: 503, body: '{"errors":["Vault is sealed"]}' }))
    const { signal } = new AbortController()
    for (const origin of ['system', 'user'] as const) {
      const connection: VaultConnection = { id: origin, origin, members: { address: 'https://vault.example:8200/base/', token: 'hvs.x' } }
      const error = await connector?.test(connection, { signal }).catch((reason: { readonly code: string }) => reason)
      expect((error as { readonly code: string }).code).to.equal('vault_sealed')
      const sent = test.services.httpClient.requests.at(-1)
      expect([sent?.url, sent?.allowPrivate, sent?.allowHttp, sent?.redirect]).to.deep.equal([
        'https://vault.example:8200/base/v1/auth/token/lookup-self',
        origin === 'system',
        origin === 'system',
        'return',
      ])
    }
    await test.dispose()
  })
})
