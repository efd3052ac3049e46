import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
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

  it('contributes its check of the machine, which finds nothing on other operating systems', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    const [check] = test.contributed(doctorChecks)
    expect(check?.id).to.equal('sandbox-macos')
    const report = await check?.run({ signal: new AbortController().signal })
    if (process.platform === 'darwin') expect(report?.findings[0]?.text).to.match(/code is confined by|nothing confines/)
    else expect(report).to.deep.equal({ findings: [] })
    await test.dispose()
  })
})
