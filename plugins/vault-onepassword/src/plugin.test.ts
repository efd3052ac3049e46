import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { tokenFor } from './test-support/one-password-bench.js'

describe('the plugin vault-onepassword', () => {
  it('contributes the connector, and loads nothing for a token that leads elsewhere', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    const [connector] = test.contributed(vaultConnectors)
    const members = { service_account_token: tokenFor('one', '169.254.169.254') }
    const { signal } = new AbortController()
    const error = await connector
      ?.test({ id: 'one', origin: 'system', members }, { signal })
      .catch((reason: { readonly code: string }) => reason)
    expect(error).to.include({ code: 'vault_connection_invalid' })
    expect(test.services.httpClient.requests).to.deep.equal([])
    await test.dispose()
  })
})
