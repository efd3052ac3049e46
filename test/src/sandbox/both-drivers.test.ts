import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'

const plugins = ['sandbox-linux', 'sandbox-macos']
const own = process.platform === 'darwin' ? 'macos' : 'linux'

describe('the drivers of two operating systems in one service', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let admin: Api
  before(async () => {
    kernel = await createTestKernel()
    admin = await signUp(kernel.url, 'ada')
  })
  after(() => kernel?.stop())

  it('both are there, and that of this system alone is used', async () => {
    const { body } = await admin.request('GET', '/api/admin/plugins?limit=200')
    const listed = (body['items'] as readonly { readonly id: string; readonly state: string; readonly reason?: string }[])
      .filter(({ id }) => plugins.includes(id))
      .map(({ id, reason }) => ({ id, reason: reason ?? null }))
    expect(listed).to.have.deep.members(plugins.map((id) => ({ id, reason: null })))
    const sandbox = await admin.request('GET', '/api/sandbox')
    expect([sandbox.status, sandbox.body['driver']], JSON.stringify(sandbox.body)).to.deep.equal([200, own])
    // What is not of this system is not even loaded.
    const states = kernel.plugins.report().filter(({ id }) => plugins.includes(id))
    expect(states.map(({ id, state }) => [id, state])).to.have.deep.members(
      plugins.map((id) => [id, id === `sandbox-${own}` ? 'active' : 'ready']),
    )
  })

  it('neither is reported as a fault', () => {
    const faults = kernel.log.filter(({ level }) => level === 'warn' || level === 'error').map((line) => JSON.stringify(line))
    expect(faults.filter((line) => /sandbox-(linux|macos)|darwin|macos/i.test(line))).to.deep.equal([])
    // What the driver in use leaves open on this machine is reported by the feature, as of that driver.
    for (const line of faults.filter((each) => each.includes('sandbox'))) expect(line).to.include(`"driver":"${own}"`)
  })
})
