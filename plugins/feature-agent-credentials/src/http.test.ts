import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { Client } from './test-support/client.js'

const canary = 'ghp_kernel_canary_secret'
const systemCanary = 'hvs_kernel_canary_token'

describe('credentials over HTTP', () => {
  let kernel: TestKernel
  let ada: Client
  let bob: Client
  let agent: string

  before(async () => {
    // Nothing listens there any more.
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    kernel = await createTestKernel({
      environment: {
        SERVICE_VAULT_VAULTTHREE_ADDRESS: `http://127.0.0.1:${port}`,
        SERVICE_VAULT_VAULTTHREE_TOKEN: systemCanary,
      },
    })
    ada = await Client.signUp(kernel.url, 'ada')
    bob = await Client.signUp(kernel.url, 'bob')
    agent = String((await ada.list('/api/agents'))[0]?.['id'])
  })
  after(() => kernel?.stop())

  const github = { name: 'github', title: 'GitHub', fields: [{ name: 'token', value: canary }] }

  it('are kept, granted to an agent, revoked and deleted, and never answered', async () => {
    const credential = await ada.json('POST', '/api/credentials', github)
    expect(credential['fields']).to.deep.equal([{ name: 'token', secret: true, value: null, variable: null, as: 'value' }])
    const source = { kind: 'local', credential_id: credential['id'] }
    const grant = await ada.json('POST', '/api/credentials/grants', { agent_id: agent, source, expires_in_secs: 3_600 })
    expect(grant).to.deep.include({ name: 'github', once: false, uses: 0 })
    const answers = await Promise.all(
      ['', '/grants', '/log', `/${String(credential['id'])}`].map((path) => ada.text('GET', `/api/credentials${path}`)),
    )
    expect(answers.join('\n')).to.contain('GITHUB_TOKEN').and.not.contain(canary)
    expect(await bob.status('GET', `/api/credentials/${String(credential['id'])}`)).to.equal(404)
    expect(await bob.status('DELETE', `/api/credentials/grants/${String(grant['id'])}`)).to.equal(404)
    expect(await bob.status('POST', '/api/credentials/grants', { agent_id: agent, source })).to.equal(404)
    expect(await ada.status('DELETE', `/api/credentials/grants/${String(grant['id'])}`)).to.equal(204)
    expect(await ada.status('DELETE', `/api/credentials/${String(credential['id'])}`)).to.equal(204)
    expect((await ada.list('/api/credentials/log')).map(({ kind }) => kind)).to.deep.equal(['revoked', 'granted'])
  })

  it('leave the callback of sign-ins as it was', async () => {
    expect(await ada.status('GET', '/api/credentials/callback?state=none')).to.equal(400)
  })

  it('need a token with the right scope, and are no matter of agents', async () => {
    const tokenOf = async (scopes: readonly string[]): Promise<string> =>
      String((await ada.json('POST', '/api/auth/tokens', { name: 'x', scopes }))['token'])
    const reader = await tokenOf(['read'])
    expect(await ada.status('GET', '/api/credentials', undefined, reader)).to.equal(200)
    expect(await ada.status('POST', '/api/credentials', github, reader)).to.equal(403)
    expect(await ada.status('GET', '/api/admin/vaults', undefined, reader)).to.equal(403)
    expect(await ada.status('GET', '/api/credentials/log', undefined, await tokenOf(['inference']))).to.equal(403)
    expect(await bob.status('GET', '/api/admin/vaults')).to.equal(403)
    expect((await fetch(`${kernel.url}/api/credentials`)).status).to.equal(401)
  })

  it('refuse what a process must not get, and name no value', async () => {
    const body = { ...github, fields: [{ name: 'token', value: canary, variable: 'LD_PRELOAD' }] }
    const answer = await ada.text('POST', '/api/credentials', body)
    expect(answer).to.contain('/fields/0/variable').and.contain('LD_PRELOAD').and.not.contain(canary)
  })

  it('show a vault of the configuration whose server is dead, or whose connector is not there, and start all the same', async () => {
    const [vault] = await ada.list('/api/admin/vaults')
    expect(vault).to.deep.include({ id: 'system-kv2', system: true, members: {}, access: { kind: 'admins' } })
    expect(vault?.['state']).to.be.oneOf(['failed', 'unavailable', 'new'])
    const synced = await ada.json('POST', '/api/admin/vaults/system-kv2/sync')
    expect(synced['failure']).to.deep.include({ code: 'vault_unavailable' })
    expect(await bob.list('/api/vaults')).to.deep.equal([])
    expect((await ada.list('/api/vaults')).map(({ id }) => id)).to.deep.equal(['system-kv2'])
    expect(await ada.status('PATCH', '/api/vaults/system-kv2', { title: 'Mine' })).to.equal(403)
    expect(await ada.status('PUT', '/api/admin/vaults/system-kv2/access', { kind: 'everyone' })).to.equal(403)
    await ada.confirm()
    expect(await ada.status('PUT', '/api/admin/vaults/system-kv2/access', { kind: 'everyone' })).to.equal(200)
    expect((await bob.list('/api/vaults')).map(({ id }) => id)).to.deep.equal(['system-kv2'])
  })

  it('end with the agent', async () => {
    const { id } = await ada.json('POST', '/api/agents', { handle: 'clerk', name: 'Clerk' })
    const credential = await ada.json('POST', '/api/credentials', { ...github, name: 'clerks' })
    const source = { kind: 'local', credential_id: credential['id'] }
    await ada.json('POST', '/api/credentials/grants', { agent_id: id, source })
    expect(await ada.status('DELETE', `/api/agents/${String(id)}`)).to.equal(204)
    await eventually(async () => (await ada.list('/api/credentials/grants')).length === 0, { what: 'the end of the grants' })
  })

  it('are in no line of the log', async () => {
    const lines = kernel.log.map((line) => JSON.stringify(line)).join('\n')
    expect(lines).not.to.contain(canary).and.not.to.contain(systemCanary)
  })
})
