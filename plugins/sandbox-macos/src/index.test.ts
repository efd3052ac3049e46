import { sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

describe('the plugin sandbox-macos', () => {
  it('contributes the driver for macOS, which confines nothing elsewhere', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    const [driver] = test.contributed(sandboxDrivers)
    expect([driver?.id, driver?.platforms]).to.deep.equal(['macos', ['darwin']])
    const health = await driver?.health({ signal: new AbortController().signal })
    expect(health?.confines).to.equal(process.platform === 'darwin')
    await test.dispose()
  })
})
