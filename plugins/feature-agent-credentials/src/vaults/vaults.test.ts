import type { JsonObject } from '@agent-service/sdk'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import {
  vaultRateLimitedError,
  vaultSealedError,
  vaultUnauthorizedError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import { eventually, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { admin, bob, codeOf, itemSource, type OpenPlugin, openPlugin, use } from '../test-support/open-plugin.js'
import { createShedVault } from '../test-support/shed-vault.js'

const { signal } = new AbortController()
const secret = 'vault-secret-1'

describe('connections to vaults', () => {
  let plugin: OpenPlugin

  beforeEach(async () => {
    plugin = await openPlugin()
  })
  afterEach(() => plugin.host.dispose())

  const at = (vault: JsonObject) => ({ params: { vault_id: String(vault['id']) } })
  const sync = (vault: JsonObject) => plugin.request('POST /api/vaults/{vault_id}/sync', at(vault))
  const runJob = async () => {
    const job = plugin.host.contributed(schedulerJobs).find(({ id }) => id.endsWith('sync-vaults'))
    await job?.run({ signal, epoch: 1 })
  }

  it('list their items without values, for choosing without a call', async () => {
    const vault = await plugin.connect()
    expect(vault).to.deep.include({ state: 'new', system: false, members: { address: 'shed.test' }, items: 0 })
    expect(await sync(vault)).to.deep.include({ state: 'ready', failure: null, account: 'ada@example.org', items: 1, items_complete: true })
    const calls = plugin.vault.calls.length
    const item = { id: 'item-1', title: 'Shop', group: null, fields: ['username', 'password'], changed_at: null }
    expect(await plugin.items('GET /api/vaults/{vault_id}/items', { ...at(vault), query: { q: 'SHO' } })).to.deep.equal([item])
    expect(await plugin.items('GET /api/vaults/{vault_id}/items', { ...at(vault), query: { q: 'other' } })).to.deep.equal([])
    expect(plugin.vault.calls).to.have.length(calls)
  })

  it('give connectors their members, with the secrets, and say that a user chose them', async () => {
    await sync(await plugin.connect())
    expect(plugin.vault.calls[0]?.connection).to.deep.include({ origin: 'user', members: { address: 'shed.test', password: secret } })
  })

  it('keep their secrets from answers, events, logs and the log of accesses', async () => {
    plugin.vault.before = async () => {
      throw vaultUnavailableError.create({ vault: 'My shed', reason: `${secret} was refused` })
    }
    const vault = await plugin.connect()
    const seen = [vault, await sync(vault), await plugin.request('GET /api/vaults'), await plugin.request('GET /api/credentials/log')]
    const { events, audit } = plugin.host.services
    const text = JSON.stringify([seen, events, audit, plugin.notifications, plugin.host.lines])
    expect(text).to.contain('vault_unavailable').and.not.contain(secret)
    expect(plugin.host.services.secrets.protectedValues).to.include(secret)
  })

  it('keep no more of what a vault says than people can read, on one line', async () => {
    plugin.vault.before = async () => {
      throw vaultUnavailableError.create({ vault: 'My shed', reason: `it says \u001b[2J\n${'x'.repeat(1_000_000)}` })
    }
    const { failure } = await sync(await plugin.connect())
    const { code, message } = failure as { readonly code: string; readonly message: string }
    expect(code).to.equal('vault_unavailable')
    expect(message)
      .to.match(/it says {1,2}\[2J x+$/)
      .and.have.length(1_000)
  })

  it('show what a vault refuses, tell its owner once, and try again later and later', async () => {
    const vault = await plugin.connect()
    const { clock } = plugin.host.services
    plugin.vault.before = async () => {
      throw vaultUnauthorizedError.create({ vault: 'My shed', reason: 'expired' })
    }
    const failed = await sync(vault)
    expect(failed).to.deep.include({ state: 'failed' })
    expect(failed['reason']).to.match(/they have expired/)
    expect(Date.parse(String(failed['next_sync_at'])) - clock.now()).to.equal(3_600_000)
    await sync(vault)
    expect(plugin.notifications.sent.map(({ kind }) => kind)).to.deep.equal(['vault.failed'])
    plugin.vault.before = async () => {
      throw vaultSealedError.create({ vault: 'My shed' })
    }
    const sealed = await sync(vault)
    expect(sealed['failure']).to.deep.include({ code: 'vault_sealed' })
    const waits: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) waits.push(Date.parse(String((await sync(vault))['next_sync_at'])) - clock.now())
    expect(waits).to.deep.equal([240_000, 480_000, 960_000, 1_920_000])
    expect(plugin.notifications.sent).to.have.length(1)
  })

  it('wait as long as a vault asks', async () => {
    const vault = await plugin.connect()
    plugin.vault.before = async () => {
      throw vaultRateLimitedError.create({ vault: 'My shed', retryAfterMs: 7_200_000 })
    }
    const { next_sync_at: next } = await sync(vault)
    expect(Date.parse(String(next)) - plugin.host.services.clock.now()).to.equal(7_200_000)
  })

  it('are synchronised when they are due, and not before', async () => {
    const vault = await plugin.connect()
    await runJob()
    expect((await plugin.request('GET /api/vaults/{vault_id}', at(vault)))['state']).to.equal('ready')
    const calls = plugin.vault.calls.length
    await runJob()
    expect(plugin.vault.calls).to.have.length(calls)
    await plugin.host.services.clock.advance(6 * 3_600_000)
    await runJob()
    expect(plugin.vault.calls.length).to.be.greaterThan(calls)
  })

  it('are synchronised in turn with those of others, however many one user has', async () => {
    for (let index = 0; index < 5; index += 1) await plugin.connect()
    await plugin.host.services.clock.advance(1_000)
    const bobs = await plugin.request('POST /api/vaults', {
      principal: bob,
      body: { connector: 'shed', title: 'Bob’s shed', members: { address: 'bob.test', password: 'vault-secret-2' } },
    })
    const synced = () => plugin.vault.calls.filter(({ operation }) => operation === 'test').map(({ connection }) => connection.id)
    await runJob()
    expect(synced()).to.have.length(3).and.include(String(bobs['id']))
    await runJob()
    await runJob()
    expect(new Set(synced())).to.have.property('size', 6)
    expect(synced()).to.have.length(6)
  })

  it('prolong their credentials before they end', async () => {
    const { clock } = plugin.host.services
    plugin.vault.answers.test = { account: 'ada', expiresAt: clock.now() + 7_200_000, renewable: true }
    const vault = await sync(await plugin.connect())
    expect(plugin.vault.calls.map(({ operation }) => operation)).to.deep.equal(['test', 'renew', 'list'])
    expect(vault).to.deep.include({ state: 'ready', expires_at: '2026-01-02T00:00:00.000Z' })
    plugin.vault.answers.test = { account: 'ada', expiresAt: clock.now() + 7_200_000 }
    const soon = await sync(vault)
    expect(Date.parse(String(soon['next_sync_at'])) - clock.now()).to.equal(3_600_000)
  })

  it('end a call that takes too long, even if the connector ignores its signal', async () => {
    const vault = await plugin.connect()
    const started = new Promise<void>((resolve) => {
      plugin.vault.before = () => {
        resolve()
        return new Promise(() => undefined)
      }
    })
    const pending = sync(vault)
    await started
    await plugin.host.services.clock.advance(30_000)
    const failed = await pending
    expect(failed['failure']).to.deep.include({ code: 'vault_unavailable' })
    expect(failed['reason']).to.match(/did not answer within 30 s/)
  })

  it('take no error from a connector that is not of the contract', async () => {
    const vault = await plugin.connect()
    plugin.vault.before = async () => {
      throw new Error('ECONNREFUSED 10.0.0.7:8200 at /srv/internal')
    }
    const failed = await sync(vault)
    expect(JSON.stringify(failed)).to.contain('vault_unavailable').and.not.contain('10.0.0.7')
  })

  it('refuse a list in a wrong form, and clean its texts', async () => {
    const vault = await plugin.connect()
    for (const list of [{ items: [{ id: '', title: 'x' }] }, { items: 'none' }, { items: [null] }, { items: [], nextCursor: 7 }]) {
      plugin.vault.answers.list = list as never
      expect((await sync(vault))['failure'], JSON.stringify(list)).to.deep.include({ code: 'vault_content_invalid' })
    }
    plugin.vault.answers.list = { items: [{ id: 'x', title: 'a\u0000b\u202e', group: 'g'.repeat(1_000) }] }
    const item = { id: 'x', title: 'a b ', group: 'g'.repeat(300), fields: [], changed_at: null }
    expect((await sync(vault))['state']).to.equal('ready')
    expect(await plugin.items('GET /api/vaults/{vault_id}/items', at(vault))).to.deep.equal([item])
  })

  it('end at a bound when a vault has no end', async () => {
    const vault = await plugin.connect()
    const items = Array.from({ length: 200 }, (_, index) => ({ id: `i${index}`, title: `Item ${index}` }))
    plugin.vault.answers.list = { items, nextCursor: 'again' }
    expect(await sync(vault)).to.deep.include({ state: 'ready', items: 2_000, items_complete: false })
    plugin.vault.answers.list = { items: [], nextCursor: 'again' }
    expect(await sync(vault)).to.deep.include({ state: 'ready', items: 0 })
    expect(await plugin.items('GET /api/vaults/{vault_id}/items', at(vault))).to.deep.equal([])
  })

  it('are checked against the form of their connector, without showing a value', async () => {
    for (const [members, path] of [
      [{ address: 'shed.test' }, '/members/password'],
      [{ address: 7, password: secret }, '/members/address'],
      [{ address: 'shed.test', password: secret, other: 'x' }, '/members/other'],
    ] as const) {
      const error = await plugin.connect({ members }).then(
        () => undefined,
        (thrown: { readonly problems: readonly { readonly path: string }[] }) => thrown,
      )
      expect(
        error?.problems.map((problem) => problem.path),
        JSON.stringify(members),
      ).to.deep.equal([path])
      expect(JSON.stringify(error)).not.to.contain(secret)
    }
    expect(await codeOf(plugin.connect({ connector: 'cellar' }))).to.equal('vault_connector_unknown')
  })

  it('send no stored secret to another address', async () => {
    const vault = await plugin.connect()
    const body = { members: { address: 'evil.test' } }
    expect(await codeOf(plugin.request('PATCH /api/vaults/{vault_id}', { ...at(vault), body }))).to.equal('invalid_request')
    await plugin.request('PATCH /api/vaults/{vault_id}', { ...at(vault), body: { title: 'Shed two' } })
    await sync(vault)
    expect(plugin.vault.calls[0]?.connection.members).to.deep.equal({ address: 'shed.test', password: secret })
    await plugin.request('PATCH /api/vaults/{vault_id}', {
      ...at(vault),
      body: { members: { address: 'other.test', password: 'vault-secret-2' } },
    })
    await sync(vault)
    expect(plugin.vault.calls.at(-1)?.connection.members).to.deep.equal({ address: 'other.test', password: 'vault-secret-2' })
  })

  it('read a file of the user, with its limits, and nothing beside it', async () => {
    await plugin.host.dispose()
    plugin = await openPlugin({ vault: createShedVault({ file: true }) })
    const { userFiles } = plugin.host.services
    const connect = (path: string) => plugin.connect({ members: { address: 'x', password: secret, path } })
    for (const path of ['passwords.kdbx', '/etc/passwd', 'files/', 'files/.bin/old.kdbx', 'workspaces/assistant/x.kdbx'])
      expect(await codeOf(connect(path)), path).to.equal('vault_connection_invalid')
    userFiles.files.set(`${testAccount.handle}/files/passwords.kdbx`, new TextEncoder().encode('kdbx'))
    const vault = await connect('files/passwords.kdbx')
    const read: string[] = []
    await sync(vault)
    const file = plugin.vault.calls.at(-1)?.connection.file
    const first = await file?.read({ signal })
    read.push(new TextDecoder().decode(first?.bytes))
    expect(read).to.deep.equal(['kdbx'])
    await file?.write(new TextEncoder().encode('new'), { version: first?.version ?? '', signal })
    expect(await codeOf(file?.write(new Uint8Array(1), { version: first?.version ?? '', signal }) ?? Promise.resolve())).to.equal(
      'vault_conflict',
    )
    const absent = await sync(await connect('files/absent.kdbx'))
    const absentFile = plugin.vault.calls.at(-1)?.connection.file
    expect(absent['state']).to.equal('ready')
    expect(await codeOf(absentFile?.read({ signal }) ?? Promise.resolve())).to.equal('vault_unavailable')
  })

  it('say that they are unavailable while their connector is not there', async () => {
    const vault = await plugin.connect()
    const { contributions } = plugin.host.services as unknown as { contributions: { list: () => unknown; acquire: () => unknown } }
    Object.assign(contributions, { list: () => [], acquire: () => undefined })
    const shown = await plugin.request('GET /api/vaults/{vault_id}', at(vault))
    expect(shown).to.deep.include({ state: 'unavailable', reason: 'no active plugin has the connector “shed”.' })
    expect((await sync(vault))['failure']).to.deep.include({ code: 'vault_unavailable' })
    expect(await codeOf(plugin.grant(itemSource(vault)))).to.equal('vault_unavailable')
  })
})

describe('vaults of the section “vault”', () => {
  const section = { vaultthree_address: 'http://vault.internal:8200', vaultthree_token: 'system-canary-token' }
  const system = { params: { vault_id: 'system-kv2' } }
  let plugin: OpenPlugin

  const open = async (section: JsonObject, before?: OpenPlugin['vault']['before']): Promise<void> => {
    const vault = createShedVault({ id: 'kv2' })
    if (before) vault.before = before
    plugin = await openPlugin({ vaultSection: section, vault })
  }
  afterEach(() => plugin.host.dispose())

  const settled = (state: string): Promise<JsonObject> =>
    eventually(
      async () => {
        const [vault] = await plugin.items('GET /api/admin/vaults', { principal: admin })
        return vault?.['state'] === state ? vault : undefined
      },
      { what: `the state ${state}` },
    )

  it('are made of whole sets, with the members that connectors know', async () => {
    await open({ ...section, vaultfour_path: '/srv/x.kdbx', vaultone_vault_id: 'v' })
    const vault = await settled('ready')
    expect(vault).to.deep.include({ id: 'system-kv2', connector: 'kv2', system: true, members: {}, access: { kind: 'admins' } })
    expect(plugin.vault.calls[0]?.connection).to.deep.include({
      id: 'system-kv2',
      origin: 'system',
      members: { address: section.vaultthree_address },
    })
    expect(await plugin.items('GET /api/admin/vaults', { principal: admin })).to.have.length(1)
  })

  it('do not fail the start when they cannot be reached, show why, and are tried again', async () => {
    await open(section, async () => {
      throw vaultUnavailableError.create({ vault: 'HashiCorp Vault or OpenBao', reason: 'the connection was refused' })
    })
    const failed = await settled('failed')
    expect(failed['reason']).to.match(/the connection was refused/)
    expect(Date.parse(String(failed['next_sync_at'])) - plugin.host.services.clock.now()).to.equal(30_000)
    plugin.vault.before = async () => undefined
    await plugin.host.services.clock.advance(30_000)
    await plugin.host
      .contributed(schedulerJobs)
      .find(({ id }) => id.endsWith('sync-vaults'))
      ?.run({ signal, epoch: 1 })
    expect(await settled('ready')).to.deep.include({ failure: null })
  })

  it('tell administrators when they refuse their credentials', async () => {
    await open(section, async () => {
      throw vaultUnauthorizedError.create({ vault: 'HashiCorp Vault or OpenBao', reason: 'revoked' })
    })
    await settled('failed')
    expect(plugin.notifications.sent[0]).to.deep.include({ to: 'admins', kind: 'vault.failed' })
  })

  it('are for administrators until they decide otherwise, which holds at once', async () => {
    await open(section)
    await settled('ready')
    const grant = { principal: bob, body: { agent_id: 'agent-1', source: { kind: 'vault', vault_id: 'system-kv2', item_id: 'item-1' } } }
    const bobsUse = { ...use, userId: bob.userId }
    const allow = (body: JsonObject) => plugin.request('PUT /api/admin/vaults/{vault_id}/access', { principal: admin, ...system, body })
    expect(await codeOf(plugin.request('POST /api/credentials/grants', grant))).to.equal('not_found')
    expect(await plugin.items('GET /api/vaults', { principal: bob })).to.deep.equal([])
    await allow({ kind: 'users', user_ids: [bob.userId] })
    expect((await plugin.items('GET /api/vaults', { principal: bob })).map(({ id, system }) => [id, system])).to.deep.equal([
      ['system-kv2', true],
    ])
    await plugin.request('POST /api/credentials/grants', grant)
    await plugin.credentials.open(['shop'], bobsUse, { signal })
    expect(await plugin.items('GET /api/vaults')).to.deep.equal([])
    await allow({ kind: 'admins' })
    expect(await codeOf(plugin.credentials.open(['shop'], bobsUse, { signal }))).to.equal('agent_credential_not_granted')
    expect(await plugin.credentials.granted(bobsUse)).to.deep.equal([])
    expect(plugin.host.services.audit.noted.map(({ kind, after }) => [kind, after?.['access']])).to.deep.equal([
      ['vault.access_changed', 'users'],
      ['vault.access_changed', 'admins'],
    ])
    expect(await codeOf(allow({ kind: 'users' }))).to.equal('invalid_request')
  })

  it('cannot be changed or deleted by a user, also not by one who may use them', async () => {
    await open(section)
    await settled('ready')
    await plugin.request('PUT /api/admin/vaults/{vault_id}/access', { principal: admin, ...system, body: { kind: 'everyone' } })
    const body = { members: { address: 'evil.test', password: 'x' } }
    expect(await codeOf(plugin.request('PATCH /api/vaults/{vault_id}', { ...system, body }))).to.equal('vault_managed')
    expect(await codeOf(plugin.request('PATCH /api/vaults/{vault_id}', { ...system, body: { title: 'Mine' } }))).to.equal('vault_managed')
    expect(await codeOf(plugin.request('DELETE /api/vaults/{vault_id}', system))).to.equal('vault_managed')
    expect(JSON.stringify(await plugin.items('GET /api/vaults')))
      .not.to.contain('system-canary-token')
      .and.not.to.contain('vault.internal')
  })

  it('are gone with their configuration, and so is what was granted of them', async () => {
    await open(section)
    await settled('ready')
    const { database } = plugin.host.services
    await plugin.request('PUT /api/admin/vaults/{vault_id}/access', { principal: admin, ...system, body: { kind: 'everyone' } })
    await plugin.grant(itemSource({ id: 'system-kv2' }))
    expect(await plugin.credentials.granted(use)).to.have.length(1)
    await plugin.host.dispose()
    plugin = await openPlugin({ database })
    expect(await plugin.items('GET /api/admin/vaults', { principal: admin })).to.deep.equal([])
    expect(await codeOf(plugin.request('POST /api/admin/vaults/{vault_id}/sync', { principal: admin, ...system }))).to.equal('not_found')
    expect(await plugin.credentials.granted(use)).to.deep.equal([])
    expect(await codeOf(plugin.credentials.open(['shop'], use, { signal }))).to.equal('agent_credential_not_granted')
  })
})
