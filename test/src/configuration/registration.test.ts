import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { removeFolder } from '../support/service-process.js'

describe('registration after the first account', () => {
  let folder: string
  let kernel: TestKernel
  let ada: Api

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    kernel = await createTestKernel({ folder, environment, registration: 'as-configured' })
  }
  const register = async (username: string): Promise<number> => {
    const answer = await fetch(`${kernel.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'a long enough password' }),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const save = async (set: Readonly<Record<string, unknown>>): Promise<void> => {
    await confirm(ada)
    const { body } = await ada.request('GET', '/api/admin/config')
    const answer = await fetch(`${kernel.url}/api/admin/config`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', 'if-match': String(body['revision']) },
      body: JSON.stringify({ set }),
    })
    expect(answer.status).to.equal(200)
    await kernel.stop()
    await start()
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-registration-'))
    await start()
    ada = await signUp(kernel.url, 'ada')
  })
  afterEach(async () => {
    await kernel.stop()
    await removeFolder(folder)
  })

  it('waits for an admin, who is told once, also over a restart', async () => {
    expect(await register('bob')).to.equal(202)
    const told = async (): Promise<readonly unknown[]> => {
      const { body } = await ada.request('GET', '/api/notifications')
      const items = body['items'] as readonly { readonly kind: string; readonly title: string; readonly link: string }[]
      return items.filter(({ kind }) => kind === 'account.requested').map(({ title, link }) => [title, link])
    }
    const once = [['“bob” asks for an account', '/admin/users']]
    await eventually(async () => expect(await told()).to.deep.equal(once))
    await kernel.stop()
    await start()
    ada = await signUp(kernel.url, 'ada')
    expect(await register('cyd')).to.equal(202)
    await eventually(async () => expect(await told()).to.deep.equal([['“cyd” asks for an account', '/admin/users'], ...once]))
  })

  it('is open once somebody has said so, which stays in the file although it is the default', async () => {
    await save({ 'auth.allow_registration': true })
    expect(await readFile(path.join(folder, 'data', 'config.yaml'), 'utf8')).to.contain('allow_registration: true')
    expect(await register('bob')).to.equal(201)
  })

  it('waits where the file says that an admin approves, and is closed where it says so', async () => {
    await save({ 'auth.allow_registration': true, 'auth.registration_approval': true })
    expect(await register('bob')).to.equal(202)
    ada = await signUp(kernel.url, 'ada')
    await save({ 'auth.allow_registration': false })
    expect(await register('cyd')).to.equal(403)
  })

  it('is open where the environment says so', async () => {
    await kernel.stop()
    await start({ SERVICE_AUTH_ALLOW_REGISTRATION: 'true' })
    expect(await register('bob')).to.equal(201)
  })
})
