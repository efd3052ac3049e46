import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type VaultConnection, type VaultConnector, type VaultFile, vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { connectionTo, createTestAccount, encryptLogin, startTestServer, type TestServer } from '@agent-service/vault-bitwarden/testing'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { writeKeePassFile } from './support/keepass-file.js'
import { createSmallVault, type SmallVault } from './support/small-vault.js'
import vaultsPlugin, { given } from './support/vaults-plugin.js'

const { signal } = new AbortController()

const token = 'hvs.any'
const secret = 'open sesame'

describe('vault connectors in the real kernel', () => {
  let folder: string
  let server: SmallVault
  let bitwarden: TestServer
  let kernel: TestKernel | undefined

  before(async () => {
    server = await createSmallVault(token, { printer: { password: secret } })
    await server.up()
    bitwarden = await startTestServer(await createTestAccount())
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-vaults-'))
    const plugin = await writeTestPlugin(path.join(folder, 'plugin'), vaultsPlugin, new URL('./support/vaults-plugin.js', import.meta.url))
    kernel = await createTestKernel({ folder, plugins: [plugin] })
  })
  after(async () => {
    await kernel?.stop()
    await server?.down()
    await bitwarden?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function withConnector<T>(id: string, work: (connector: VaultConnector) => Promise<T>): Promise<T> {
    const lease = given?.contributions.acquire(vaultConnectors, id) ?? expect.fail(`There is no connector “${id}”.`)
    try {
      return await work(lease.value)
    } finally {
      lease.release()
    }
  }
  const failureOf = (work: Promise<unknown>): Promise<{ readonly code: string; readonly details: object }> =>
    work.then(
      () => expect.fail('It was expected to fail.'),
      (error) => error,
    )

  it('reads a Vault of the local network for the deployment, and connects to none for a user', async () => {
    const { address } = server
    const connection = (origin: VaultConnection['origin'], of = address): VaultConnection => ({
      ...{ id: `${origin} ${of}`, origin },
      members: { address: of, token },
    })
    await withConnector('kv2', async (connector) => {
      const { items } = await connector.list(connection('system'), { limit: 10 }, { signal })
      expect(items).to.deep.equal([{ id: 'printer', title: 'printer' }])
      const { fields, item } = await connector.read(connection('system'), 'printer', { signal })
      expect([fields, item.revision]).to.deep.equal([[{ name: 'password', value: secret, secret: true }], '3'])
      const before = server.connections()
      for (const of of [address, address.replace('http:', 'https:'), 'https://169.254.169.254'])
        expect((await failureOf(connector.list(connection('user', of), { limit: 10 }, { signal }))).code).to.equal(
          'vault_connection_invalid',
        )
      expect((await failureOf(connector.list(connection('system', 'http://169.254.169.254'), { limit: 1 }, { signal }))).code).to.equal(
        'vault_connection_invalid',
      )
      expect(server.connections()).to.equal(before)
    })
  })

  it('reads a Bitwarden server of the local network for the deployment, and connects to none for a user', async () => {
    const { account } = bitwarden
    const id = bitwarden.put(encryptLogin('Printer', { username: 'ada', password: secret }, account.userKey))
    await withConnector('bitwarden', async (connector) => {
      expect(await connector.test(connectionTo(bitwarden), { signal })).to.deep.equal({ account: account.email })
      const { fields } = await connector.read(connectionTo(bitwarden), id, { signal })
      expect(fields).to.deep.include({ name: 'password', value: secret, secret: true })
      const before = bitwarden.connections()
      const { port } = new URL(bitwarden.url)
      for (const url of [`https://127.0.0.1:${port}`, `https://localhost:${port}`, `https://[::ffff:127.0.0.1]:${port}`, bitwarden.url]) {
        const connection: VaultConnection = { ...connectionTo(bitwarden, { server_url: url }), id: url, origin: 'user' }
        const { code, details } = await failureOf(connector.test(connection, { signal }))
        expect(code, url).to.equal('vault_connection_invalid')
        expect(details, url).to.include({ member: 'server_url' })
      }
      const cloud = { ...connectionTo(bitwarden, { server_url: 'http://169.254.169.254' }), id: 'cloud' }
      expect((await failureOf(connector.test(cloud, { signal }))).code).to.equal('vault_connection_invalid')
      expect(bitwarden.connections()).to.equal(before)
    })
  })

  it('opens a KeePass database in a thread, where the service runs', async () => {
    const database = path.join(folder, 'passwords.kdbx')
    await writeKeePassFile(database, 'a master password', [{ title: 'Printer', username: 'ada', password: secret }])
    const file: VaultFile = {
      async read() {
        const bytes = await readFile(database)
        return { bytes, version: createHash('sha256').update(bytes).digest('hex') }
      },
      write: () => Promise.reject(new Error('The file is only read.')),
    }
    const connection = (password: string): VaultConnection => ({
      ...{ id: 'keepass', origin: 'user', file },
      members: { path: 'files/passwords.kdbx', password },
    })
    await withConnector('keepass', async (connector) => {
      const { items } = await connector.list(connection('a master password'), { limit: 10 }, { signal })
      expect(items.map(({ title }) => title)).to.deep.equal(['Printer'])
      const { fields } = await connector.read(connection('a master password'), items[0]?.id ?? '', { signal })
      expect(fields).to.deep.include({ name: 'Password', value: secret, secret: true })
      expect((await failureOf(connector.test(connection('another one'), { signal }))).code).to.equal('vault_unauthorized')
    })
  })

  it('loads the SDK of 1Password where the service runs', async () => {
    const content = Buffer.from(JSON.stringify({ signInAddress: 'my.1password.com', email: 'one@example.org' })).toString('base64url')
    const members = { service_account_token: `ops_${content}` }
    const error = await withConnector('onepassword', (connector) =>
      failureOf(connector.test({ id: 'one', origin: 'user', members }, { signal })),
    )
    // That the token lacks its keys is said by the SDK's core alone.
    expect([error.code, error.details]).to.deep.equal([
      'vault_connection_invalid',
      { member: 'service_account_token', reason: 'is not a token of a service account. Copy it from 1Password as a whole' },
    ])
  })
})
