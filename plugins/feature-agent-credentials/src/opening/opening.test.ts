import { vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import { expect } from 'chai'
import { agentId, bob, codeOf, itemSource, localSource, type OpenPlugin, openPlugin, token, use } from '../test-support/open-plugin.js'
import { field } from '../test-support/shed-vault.js'

const { signal } = new AbortController()

describe('opening credentials of agents', () => {
  let plugin: OpenPlugin

  beforeEach(async () => {
    plugin = await openPlugin()
  })
  afterEach(() => plugin.host.dispose())

  const open = (...names: readonly string[]) => plugin.credentials.open(names, use, { signal })
  const log = () => plugin.items('GET /api/credentials/log')

  it('gives the values of what was granted, with the log written before', async () => {
    await plugin.grant(localSource(await plugin.github()))
    const [opened] = await open('github')
    expect(opened).to.deep.equal({
      name: 'github',
      fields: [
        { name: 'user', secret: false, variable: 'GITHUB_USER', as: 'value', value: 'ada' },
        { name: 'token', secret: true, variable: 'GITHUB_TOKEN', as: 'value', value: token },
      ],
    })
    const [entry, granted] = await log()
    expect(entry).to.deep.include({ kind: 'opened', outcome: 'ok', name: 'github', agent_id: agentId, use: 'process', target: 'git push' })
    expect(granted).to.deep.include({ kind: 'granted', name: 'github' })
    const [grant] = await plugin.items('GET /api/credentials/grants')
    expect(grant).to.deep.include({ uses: 1, agent: 'assistant' })
  })

  it('returns no value when the log cannot be written', async () => {
    await plugin.grant(localSource(await plugin.github()))
    const events = plugin.host.services.events as unknown as { record: () => void }
    events.record = () => {
      throw new Error('the disk is full')
    }
    expect(
      await open('github').then(
        () => 'opened',
        () => 'failed',
      ),
    ).to.equal('failed')
  })

  it('refuses what was not granted, to this agent, under this name, and logs it', async () => {
    await plugin.grant(localSource(await plugin.github()))
    expect(await codeOf(open('gitlab'))).to.equal('agent_credential_not_granted')
    expect(await codeOf(open('github', 'gitlab'))).to.equal('agent_credential_not_granted')
    for (const other of [{ agentId: 'agent-2' }, { userId: 'user-2' }])
      expect(await codeOf(plugin.credentials.open(['github'], { ...use, ...other }, { signal }))).to.equal('agent_credential_not_granted')
    const refused = (await log()).filter(({ outcome }) => outcome === 'refused')
    expect(refused.map(({ name }) => name)).to.deep.equal(['github', 'gitlab', 'gitlab'])
    expect((await plugin.items('GET /api/credentials/grants'))[0]).to.deep.include({ uses: 0 })
  })

  it('lets one of two uses at the same time have a grant for one use', async () => {
    await plugin.grant(localSource(await plugin.github()), { once: true })
    const outcomes = await Promise.allSettled([open('github'), open('github'), open('github')])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    expect((await log()).filter(({ kind, outcome }) => kind === 'opened' && outcome === 'ok')).to.have.length(1)
    expect(await plugin.items('GET /api/credentials/grants')).to.deep.equal([])
    expect(await plugin.credentials.granted(use)).to.deep.equal([])
  })

  it('neither uses up nor logs what a process did not live to return, and never gives a grant for one use twice', async () => {
    const { database } = plugin.host.services
    await plugin.grant(itemSource(await plugin.connect()), { once: true })
    const dies = new AbortController()
    const reading = new Promise<void>((resolve) => {
      plugin.vault.before = (operation) => {
        if (operation === 'read') resolve()
        return new Promise(() => undefined)
      }
    })
    const lost = plugin.credentials.open(['shop'], use, dies)
    await reading
    // The next process over the same database, while the first one never answers.
    const next = await openPlugin({ database })
    await next.host.services.clock.advance(1_000)
    try {
      expect((await next.items('GET /api/credentials/log')).map(({ kind }) => kind)).to.deep.equal(['granted'])
      // The value that is opened here may be lost on its way: it is used up and logged all the same.
      await next.credentials.open(['shop'], use, { signal })
      expect((await next.items('GET /api/credentials/log')).map(({ kind }) => kind)).to.deep.equal(['ended', 'opened', 'granted'])
      expect(await codeOf(next.credentials.open(['shop'], use, { signal }))).to.equal('agent_credential_not_granted')
    } finally {
      dies.abort(new Error('the process was killed'))
      await next.host.dispose()
    }
    expect(await lost.catch((error: Error) => error.message)).to.equal('the process was killed')
  })

  it('opens all or none', async () => {
    await plugin.grant(localSource(await plugin.github()), { once: true })
    const vault = await plugin.connect()
    await plugin.grant(itemSource(vault))
    plugin.vault.before = async (operation) => {
      if (operation === 'read') throw vaultUnavailableError.create({ vault: 'My shed', reason: 'it is down' })
    }
    expect(await codeOf(open('github', 'shop'))).to.equal('vault_unavailable')
    plugin.vault.before = async () => undefined
    expect((await open('github', 'shop')).map(({ name }) => name)).to.deep.equal(['github', 'shop'])
  })

  it('ends with the time of a grant', async () => {
    await plugin.grant(localSource(await plugin.github()), { expires_in_secs: 60 })
    await plugin.host.services.clock.advance(59_999)
    await open('github')
    await plugin.host.services.clock.advance(1)
    expect(await codeOf(open('github'))).to.equal('agent_credential_not_granted')
    await plugin.grant(localSource((await plugin.items('GET /api/credentials'))[0] ?? {}))
    await open('github')
  })

  it('fails for a grant that is revoked while its value is read', async () => {
    const vault = await plugin.connect()
    const grant = await plugin.grant(itemSource(vault))
    plugin.vault.before = async (operation) => {
      if (operation === 'read')
        await plugin.request('DELETE /api/credentials/grants/{grant_id}', { params: { grant_id: String(grant['id']) } })
    }
    expect(await codeOf(open('shop'))).to.equal('agent_credential_not_granted')
    expect((await log()).filter(({ kind, outcome }) => kind === 'opened' && outcome === 'ok')).to.deep.equal([])
  })

  it('fails for a connection that is deleted while its item is read', async () => {
    const vault = await plugin.connect()
    await plugin.grant(itemSource(vault))
    plugin.vault.before = async (operation) => {
      if (operation === 'read') await plugin.request('DELETE /api/vaults/{vault_id}', { params: { vault_id: String(vault['id']) } })
    }
    expect(await codeOf(open('shop'))).to.equal('agent_credential_not_granted')
  })

  it('has the values as they are now, of the fields that were granted', async () => {
    const credential = await plugin.github()
    await plugin.grant(localSource(credential))
    await plugin.request('PUT /api/credentials/{credential_id}/fields', {
      params: { credential_id: String(credential['id']) },
      body: {
        fields: [
          { name: 'token', value: 'ghp_rotated_token' },
          { name: 'recovery', value: 'not-granted-1' },
        ],
      },
    })
    const [opened] = await open('github')
    expect(opened?.fields.map(({ name, value }) => [name, value])).to.deep.equal([['token', 'ghp_rotated_token']])
  })

  it('takes no other item for the one that was granted, and no more fields', async () => {
    const vault = await plugin.connect()
    await plugin.grant(itemSource(vault))
    plugin.vault.items.set('item-1', { title: 'Shop', fields: [field('password', 'shop-secret-2'), field('pin', '123456789')] })
    expect((await open('shop'))[0]?.fields.map(({ value }) => value)).to.deep.equal(['shop-secret-2'])
    plugin.vault.answers.readAs = 'item-2'
    expect(await codeOf(open('shop'))).to.equal('vault_content_invalid')
  })

  it('hands out no secret that cannot be masked', async () => {
    plugin.vault.items.set('item-1', { title: 'Shop', fields: [field('pin', '1234')] })
    await plugin.grant(itemSource(await plugin.connect()))
    expect(await codeOf(open('shop'))).to.equal('secret_not_maskable')
    expect((await log())[0]).to.deep.include({ kind: 'opened', outcome: 'failed', code: 'secret_not_maskable' })
    expect(await codeOf(plugin.github({ name: 'short', fields: [{ name: 'pin', value: '1234' }] }))).to.equal('secret_not_maskable')
  })

  it('hands out no more secrets at once than it can mask', async () => {
    const long = (number: number) => field(`key-${number}`, `${number}${'Ab1x'.repeat(4_000)}`)
    plugin.vault.items.set('item-1', { title: 'Shop', fields: [1, 2, 3, 4, 5].map(long) })
    await plugin.grant(itemSource(await plugin.connect()))
    expect(await codeOf(open('shop'))).to.equal('secrets_not_maskable')
    expect((await log())[0]).to.deep.include({ kind: 'opened', outcome: 'failed', code: 'secrets_not_maskable' })
  })

  it('gives no more at once than a process can have', async () => {
    const vault = await plugin.connect()
    const wide = Array.from({ length: 17 }, (_, index) => field(`field-${index}`, 'x'.repeat(65_536), false))
    plugin.vault.items.set('item-1', { title: 'Shop', fields: wide })
    await plugin.grant(itemSource(vault), { once: true })
    expect(await codeOf(open('shop'))).to.equal('credentials_too_large')
    expect((await log())[0]).to.deep.include({ kind: 'opened', outcome: 'failed', code: 'credentials_too_large' })
    expect(await plugin.items('GET /api/credentials/grants')).to.have.length(1)
  })

  it('masks what has become a secret since it was granted', async () => {
    const credential = await plugin.github()
    await plugin.grant(localSource(credential))
    const user = 'ada-is-now-secret'
    await plugin.request('PUT /api/credentials/{credential_id}/fields', {
      params: { credential_id: String(credential['id']) },
      body: { fields: [{ name: 'user', value: user }] },
    })
    expect((await open('github'))[0]?.fields.map(({ name, secret }) => [name, secret])).to.deep.equal([['user', true]])
    const mask = await plugin.credentials.mask(use)
    expect(mask.take(user) + mask.end()).to.equal('[credential github]')
  })

  it('keeps values out of the log of the service from their first use on, and none by being stored or shown', async () => {
    const { protectedValues } = plugin.host.services.secrets
    await plugin.grant(localSource(await plugin.github()))
    await plugin.items('GET /api/credentials')
    expect(protectedValues).to.not.include(token)
    await open('github')
    expect(protectedValues).to.include(token)
  })

  it('masks what was opened, and only that', async () => {
    await plugin.grant(localSource(await plugin.github()))
    const text = `ada logs in with ${token}`
    const masked = async (): Promise<string> => {
      const mask = await plugin.credentials.mask(use)
      return mask.take(text) + mask.end()
    }
    expect(await masked()).to.equal(text)
    await open('github')
    expect(await masked())
      .to.contain('ada logs in with')
      .and.not.contain(token)
  })

  it('ends with the credential', async () => {
    const credential = await plugin.github()
    await plugin.grant(localSource(credential))
    await plugin.request('DELETE /api/credentials/{credential_id}', { params: { credential_id: String(credential['id']) } })
    expect(await codeOf(open('github'))).to.equal('agent_credential_not_granted')
    expect(await plugin.items('GET /api/credentials/grants')).to.deep.equal([])
    expect((await log()).map(({ kind }) => kind)).to.include('ended')
  })

  it('is no way to the credentials of another user', async () => {
    const credential = await plugin.github()
    const grant = await plugin.grant(localSource(credential))
    const vault = await plugin.connect()
    const body = { agent_id: agentId, source: localSource(credential) }
    const cases = [
      plugin.request('POST /api/credentials/grants', { principal: bob, body }),
      plugin.request('POST /api/credentials/grants', { principal: bob, body: { ...body, source: itemSource(vault) } }),
      plugin.request('GET /api/credentials/{credential_id}', { principal: bob, params: { credential_id: String(credential['id']) } }),
      plugin.request('PATCH /api/credentials/{credential_id}', {
        ...{ principal: bob, params: { credential_id: String(credential['id']) }, body: { title: 'Mine' } },
      }),
      plugin.request('DELETE /api/credentials/{credential_id}', { principal: bob, params: { credential_id: String(credential['id']) } }),
      plugin.request('DELETE /api/credentials/grants/{grant_id}', { principal: bob, params: { grant_id: String(grant['id']) } }),
      plugin.request('PATCH /api/credentials/grants/{grant_id}', {
        ...{ principal: bob, params: { grant_id: String(grant['id']) }, body: { once: true } },
      }),
      plugin.request('GET /api/vaults/{vault_id}/items', { principal: bob, params: { vault_id: String(vault['id']) } }),
      plugin.request('POST /api/vaults/{vault_id}/sync', { principal: bob, params: { vault_id: String(vault['id']) } }),
      plugin.request('DELETE /api/vaults/{vault_id}', { principal: bob, params: { vault_id: String(vault['id']) } }),
    ]
    expect(await Promise.all(cases.map(codeOf))).to.deep.equal(cases.map(() => 'not_found'))
    for (const route of ['/api/credentials', '/api/credentials/grants', '/api/credentials/log', '/api/vaults'])
      expect(await plugin.items(`GET ${route}`, { principal: bob }), route).to.deep.equal([])
    expect(await plugin.credentials.granted(use)).to.have.length(1)
  })
})
