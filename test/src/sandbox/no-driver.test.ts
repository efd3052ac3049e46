import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'

describe('a service without a driver of the sandbox', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    const disabled = JSON.stringify(['sandbox-linux', 'sandbox-macos'])
    kernel = await createTestKernel({ environment: { SERVICE_PLUGINS_DISABLED: disabled, SERVICE_SANDBOX_DISABLED: 'true' } })
  })
  after(() => kernel?.stop())

  it('says that nothing confines and why, and that the sandbox is switched off', async () => {
    const { status, body } = await (await signUp(kernel.url, 'ada')).request('GET', '/api/sandbox')
    expect(status).to.equal(200)
    expect(body).to.include({ confines: false, disabled: true, driver: null, mode: 'none', fences: null })
    expect(body['reason']).to.match(/no plugin with a sandbox driver/)
  })
})
