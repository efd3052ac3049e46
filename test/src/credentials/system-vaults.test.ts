import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import { startWorkingUpstream, type Turn, type WorkingUpstream } from '../sandbox/support/working-upstream.js'
import { type Api, confirm, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { until } from './support/credentials-kernel.js'
import { encodingsIn } from './support/encodings.js'
import { writeKeePassFile } from './support/keepass-file.js'
import { createSmallVault, type SmallVault } from './support/small-vault.js'

type Json = Readonly<Record<string, unknown>>

const canary = (): string => randomBytes(20).toString('hex')
const token = canary()
const masterPassword = canary()
const clientId = canary()
/** The values, by the name that their grant gives them and the variable that they are bound to. */
const values = { printer: canary(), account: canary() }
const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

const command = `for value in "$PRINTER_KEY" "$ACCOUNT_KEY"; do
  printf '%s' "$value" | sha256sum
  printf 'plain <%s>\\n' "$value"
  printf '%s' "$value" | base64 -w 0
  echo
done`
const use = { tool: 'shell', arguments: { command, credentials: ['printer', 'account'], timeout_seconds: 60 } }
const print = (results: readonly string[]): Turn => (results.length === 0 ? use : 'It is printed.')

describe('the vaults of the section `vault`', function () {
  this.timeout(60_000)
  let folder: string
  let file: string
  let server: SmallVault
  let upstream: WorkingUpstream
  let kernel: TestKernel
  let admin: Api
  let bob: Api
  const clock = createControlledClock({ now: Date.now() })

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-system-vaults-'))
    file = path.join(folder, 'passwords.kdbx')
    await writeKeePassFile(file, masterPassword, [{ title: 'Account', username: 'the-service', password: values.account }])
    server = await createSmallVault(token, { printer: { key: values.printer } })
    upstream = await startWorkingUpstream({ print, 'print again': print })
    await writeConfiguration(folder, upstream.url)
    kernel = await createTestKernel({
      ...{ folder, clock },
      environment: {
        UPSTREAM_KEY: 'key',
        SERVICE_VAULT_VAULTTWO_CLIENT_ID: clientId,
        SERVICE_VAULT_VAULTTHREE_ADDRESS: server.address,
        SERVICE_VAULT_VAULTTHREE_TOKEN: token,
        SERVICE_VAULT_VAULTFOUR_PATH: file,
        SERVICE_VAULT_VAULTFOUR_PASSWORD: masterPassword,
      },
    })
    admin = await signUp(kernel.url, 'ada')
    bob = await signUp(kernel.url, 'bob')
  })
  after(async () => {
    await kernel?.stop()
    await upstream?.close()
    await server?.down()
    await rm(folder, { recursive: true, force: true })
  })

  const itemsOf = async (api: Api, place: string): Promise<readonly Json[]> =>
    (await api.request('GET', place)).body['items'] as readonly Json[]
  const systemVault = async (id: string): Promise<Json> =>
    (await itemsOf(admin, '/api/admin/vaults')).find((vault) => vault['id'] === id) ?? {}
  const synchronised = (id: string) =>
    until(
      () => systemVault(id),
      ({ state }) => state !== 'new',
    )
  const agentOf = async (api: Api): Promise<string> => String((await itemsOf(api, '/api/agents'))[0]?.['id'])
  const grant = async (api: Api, vault: string, item: unknown, name: 'printer' | 'account') =>
    api.request('POST', '/api/credentials/grants', {
      ...{ agent_id: await agentOf(api), source: { kind: 'vault', vault_id: vault, item_id: item }, name },
      bindings: [{ field: name === 'printer' ? 'key' : 'Password', variable: `${name.toUpperCase()}_KEY` }],
    })
  /** Has the agent of a person carry out a plan, and gives what its tools have said. */
  const resultsOf = async (api: Api, plan: string) => {
    const stream = await api.stream()
    const chat = String((await api.request('POST', '/api/chats', {})).body['id'])
    const { body } = await api.request('POST', `/api/chats/${chat}/messages`, { content: plan })
    const run = String((body['run'] as Json)['id'])
    const end = await endOf(stream, run)
    expect(end.name, JSON.stringify(end.data)).to.equal('run.completed')
    stream.close()
    return { run, chat, events: stream.events, results: upstream.resultsOf(plan) }
  }

  it('that are down fail no start, show why and when they are tried again, and are synchronised once they answer', async () => {
    expect((await fetch(`${kernel.url}/readyz`)).status).to.equal(200)
    const failed = await synchronised('system-kv2')
    expect(failed).to.deep.include({ state: 'failed', system: true, members: {}, items: 0, access: { kind: 'admins' } })
    expect((failed['failure'] as Json)['code']).to.equal('vault_unavailable')
    expect(String(failed['reason'])).to.contain('HashiCorp Vault')
    expect(Date.parse(String(failed['next_sync_at'])) - clock.now()).to.equal(30_000)
    const keepass = await synchronised('system-keepass')
    expect(keepass, JSON.stringify(keepass['failure'])).to.deep.include({ state: 'ready', items: 1 })

    await server.up()
    await clock.advance(61_000)
    const ready = await until(
      () => systemVault('system-kv2'),
      ({ state }) => state === 'ready',
    )
    expect(ready).to.deep.include({ items: 1, failure: null, account: 'service' })
  })

  it('of which a part is set are not connected, and a warning says what is missing', async () => {
    expect(await systemVault('system-bitwarden')).to.deep.equal({})
    const warned = kernel.log.filter(({ level }) => level === 'warn').map((line) => JSON.stringify(line))
    expect(warned.join('\n')).to.contain('Bitwarden is not connected').and.contain('vaulttwo_master_password')
  })

  it('are the concern of administrators until they open them, and then still cannot be changed', async () => {
    for (const id of ['system-kv2', 'system-keepass']) {
      expect((await bob.request('GET', `/api/vaults/${id}`)).status).to.equal(404)
      expect((await bob.request('GET', `/api/vaults/${id}/items`)).status).to.equal(404)
    }
    expect(await itemsOf(bob, '/api/vaults')).to.deep.equal([])
    expect((await grant(bob, 'system-kv2', 'printer', 'printer')).status).to.equal(404)
    expect((await bob.request('GET', '/api/admin/vaults')).status).to.equal(403)

    await confirm(admin)
    for (const [id, access] of [
      ['system-kv2', { kind: 'users', user_ids: [bob.userId] }],
      ['system-keepass', { kind: 'everyone' }],
    ] as const)
      expect((await admin.request('PUT', `/api/admin/vaults/${id}/access`, access)).body).to.deep.include({ id, access })
    expect((await itemsOf(bob, '/api/vaults')).map(({ id }) => id)).to.have.members(['system-kv2', 'system-keepass'])
    for (const method of ['PATCH', 'DELETE']) {
      const { status } = await bob.request(method, '/api/vaults/system-kv2', method === 'PATCH' ? { title: 'Mine' } : undefined)
      expect(status, method).to.be.oneOf([403, 404, 409])
    }
    expect(await systemVault('system-kv2')).to.deep.include({ title: 'HashiCorp Vault or OpenBao', state: 'ready' })
  })

  it('give a program of an agent the values that were granted, which nothing else gets, until that is revoked', async () => {
    await bob.request('PATCH', `/api/agents/${await agentOf(bob)}`, { tools: ['shell'], approval: { '*': 'never' } })
    const [account] = await itemsOf(bob, '/api/vaults/system-keepass/items')
    const granted = [await grant(bob, 'system-kv2', 'printer', 'printer'), await grant(bob, 'system-keepass', account?.['id'], 'account')]
    for (const { status, body } of granted) expect(status, JSON.stringify(body)).to.equal(201)
    const { run, chat, events, results } = await resultsOf(bob, 'print')
    if (kernel.log.some(({ msg }) => String(msg).startsWith('No code of agents can run'))) {
      expect(results[0]).to.match(/^Code cannot run here because nothing would confine it/)
      return
    }
    for (const name of ['printer', 'account'] as const)
      expect(results[0]).to.contain(hashOf(values[name])).and.contain(`plain <[credential ${name}]>`)

    const log = await itemsOf(bob, '/api/credentials/log')
    const opened = log.filter(({ kind }) => kind === 'opened')
    expect(opened.map(({ name, vault_id }) => [name, vault_id])).to.have.deep.members([
      ['printer', 'system-kv2'],
      ['account', 'system-keepass'],
    ])
    for (const line of opened) expect(line).to.include({ outcome: 'ok', use: 'process', chat_id: chat, run_id: run })

    for (const { body } of granted)
      if (body['name'] === 'printer') expect((await bob.request('DELETE', `/api/credentials/grants/${body['id']}`)).status).to.equal(204)
    const again = await resultsOf(bob, 'print again')
    expect(again.results[0]).to.contain('“printer”').and.not.contain(hashOf(values.account))
    const [refused] = await itemsOf(bob, '/api/credentials/log')
    expect(refused).to.include({ kind: 'opened', outcome: 'refused', code: 'agent_credential_not_granted', name: 'printer' })

    const places = {
      'the requests to the model': upstream.received,
      'the events': [...events, ...again.events],
      'the messages': [await itemsOf(bob, `/api/chats/${chat}/messages`), await itemsOf(bob, `/api/chats/${again.chat}/messages`)],
      'the log of the service': kernel.log,
      'what is shown of vaults and grants': [log, await itemsOf(admin, '/api/admin/vaults'), await itemsOf(bob, '/api/credentials/grants')],
    }
    for (const [place, found] of Object.entries(places)) {
      const texts = found.map((each) => JSON.stringify(each))
      expect(texts, place).to.not.have.length(0)
      for (const secret of [...Object.values(values), token, masterPassword, clientId])
        expect(encodingsIn(texts, secret), `${place}: ${secret}`).to.deep.equal([])
    }
  })

  it('whose file has more than 64 MiB are not read, and say so', async () => {
    await truncate(file, 64 * 1_024 * 1_024 + 1)
    const { body } = await admin.request('POST', '/api/admin/vaults/system-keepass/sync')
    expect(body).to.include({ state: 'failed', items: 1 })
    expect(body['failure']).to.include({ code: 'vault_content_invalid' })
    expect(String(body['reason'])).to.contain('KeePass').and.contain('64 MiB')
  })
})
