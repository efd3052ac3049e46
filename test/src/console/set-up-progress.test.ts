import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'

const path = '/api/admin/set-up'
const own = ['registration', 'set-up-agent', 'set-up-memory', 'set-up-models', 'set-up-provider']

describe('the progress of the set-up', () => {
  let kernel: TestKernel
  let admin: Api
  before(async () => {
    kernel = await createTestKernel()
    admin = await signUp(kernel.url, 'ada')
    await confirm(admin)
  })
  after(() => kernel.stop())

  const steps = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await admin.request('GET', path)).body['steps'] as Readonly<Record<string, unknown>>

  it('has the steps that plugins bring, by their panels, each open until something is noted of it', async () => {
    expect(await steps()).to.deep.equal(Object.fromEntries(own.map((name) => [name, 'open'])))
    const { status, body } = await admin.request('PATCH', path, { steps: { 'set-up-memory': 'done' }, connection: 'house' })
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      steps: { ...Object.fromEntries(own.map((name) => [name, 'open'])), 'set-up-memory': 'done' },
      connection: 'house',
    })
    await admin.request('PATCH', path, { steps: { registration: 'skipped' } })
    expect(await steps()).to.include({ registration: 'skipped', 'set-up-memory': 'done' })
  })

  it('refuses a step that nobody brings, and a state that there is not', async () => {
    for (const refused of [{ 'set-up-garden': 'done' }, { registration: 'skipped', memory: 'done' }, { 'set-up-memory': 'half' }]) {
      const { status, body } = await admin.request('PATCH', path, { steps: refused })
      expect([status, body['code']], JSON.stringify(refused)).to.deep.equal([422, 'invalid_request'])
    }
    expect(await steps()).to.have.all.keys(own)
  })

  it('is without a step while its plugin is away, and keeps what was noted of it', async () => {
    await admin.request('PATCH', path, { steps: { 'set-up-memory': 'done' } })
    expect((await admin.request('POST', '/api/admin/plugins/feature-memory/disable')).status).to.equal(200)
    expect(await steps()).to.have.all.keys(own.filter((name) => name !== 'set-up-memory'))
    expect((await admin.request('PATCH', path, { steps: { 'set-up-memory': 'open' } })).status).to.equal(422)
    expect((await admin.request('PATCH', path, { steps: { registration: 'done' } })).status).to.equal(200)
    expect((await admin.request('POST', '/api/admin/plugins/feature-memory/enable')).status).to.equal(200)
    expect(await steps()).to.include({ 'set-up-memory': 'done', registration: 'done' })
  })
})
