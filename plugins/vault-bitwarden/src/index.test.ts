import { checkVaultConnector, vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

describe('the plugin vault-bitwarden', () => {
  it('contributes the connector as its manifest says, and leaves nothing behind', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    const [connector] = test.contributed(vaultConnectors)
    expect(checkVaultConnector(connector)).to.deep.equal([])
    expect(connector).to.deep.include({ id: 'bitwarden', supports: { write: true, renew: false } })
    await test.dispose()
    expect(test.scope.holdings()).to.deep.equal([])
  })
})
