import { randomUUID } from 'node:crypto'
import { describeVaultConnector, type VaultBenchItem } from '@agent-service/sdk/testing'
import { encrypt } from './crypto/encrypted-strings.js'
import { createTestAccount, type TestAccount } from './testing/test-account.js'
import { connectionTo, createTestConnector } from './testing/test-connector.js'
import { encryptLogin, startTestServer, type TestServer } from './testing/test-server.js'

const accounts = [createTestAccount(), createTestAccount({ email: 'ben@example.org', password: 'canary of ben' })] as const

const items: readonly VaultBenchItem[] = [
  {
    title: 'Bank',
    group: 'Money',
    fields: [
      { name: 'username', value: 'ada', secret: false },
      { name: 'password', value: 'canary-bank-1', secret: true },
      { name: 'uri', value: 'https://bank.example', secret: false },
    ],
  },
  { title: 'Ärger & Söhne', fields: [{ name: 'password', value: 'canary-π-"2"', secret: true }] },
  {
    title: 'Router',
    fields: [
      { name: 'notes', value: 'canary notes\nof two lines', secret: true },
      { name: 'PIN', value: 'canary-0815', secret: true },
      { name: 'place', value: 'cellar', secret: false },
    ],
  },
]
const others: readonly VaultBenchItem[] = [{ title: 'Car', fields: [{ name: 'password', value: 'canary-car', secret: true }] }]

const faults = ['down', 'failing', 'silent', 'busy', 'forbidding', 'damaged', 'huge'] as const

describeVaultConnector({
  name: 'bitwarden',
  supports: { write: true, renew: false },
  faults,
  retryAfterMs: 7_000,
  restores: true,
  invalid: true,
  inward: true,
  async create() {
    const [server, other] = await Promise.all(accounts.map(async (account) => startTestServer(await account)))
    if (server === undefined || other === undefined) throw new Error('There are two accounts.')
    const ids = new Map(items.map((item) => [item.title, server.put(cipherOf(item, server))]))
    for (const item of others) other.put(cipherOf(item, other))
    const connection = connectionTo(server)
    return {
      connector: createTestConnector(),
      account: { connection, items },
      other: { connection: connectionTo(other), items: others },
      wrong: {
        'client secret': connectionTo(server, { client_secret: 'wrong' }),
        'master password': connectionTo(server, { master_password: 'wrong' }),
      },
      invalid: {
        'client id': connectionTo(server, { client_id: 'organization.1' }),
        server: connectionTo(server, { server_url: 'vault' }),
      },
      inward: {
        connection: { ...connectionTo(other, { server_url: other.url.replace('http:', 'https:') }), id: 'inward', origin: 'user' },
        connections: () => other.connections(),
      },
      async add(item) {
        ids.set(item.title, server.put(cipherOf(item, server)))
      },
      async change(title, item) {
        server.put(cipherOf(item, server), ids.get(title))
      },
      async remove(title) {
        server.trash(ids.get(title) ?? '')
      },
      async break(fault) {
        server.fault = faults.find((each) => each === fault)
      },
      async mend() {
        server.fault = undefined
      },
      async close() {
        await Promise.all([server.close(), other.close()])
      },
    }
  },
})

function cipherOf({ title, group, fields }: VaultBenchItem, { account, folders }: TestServer): Readonly<Record<string, unknown>> {
  const valueNamed = (name: string): string | undefined => fields.find((field) => field.name === name)?.value
  const own = ['username', 'password', 'uri', 'notes']
  const login = Object.fromEntries(own.flatMap((name) => (valueNamed(name) === undefined ? [] : [[name, valueNamed(name)]])))
  const custom = fields.filter(({ name }) => !own.includes(name)).map(({ name, value, secret }) => ({ name, value, type: secret ? 1 : 0 }))
  return {
    ...encryptLogin(title, { ...login, fields: custom }, account.userKey),
    folderId: group === undefined ? null : folderCalled(group, { account, folders }),
  }
}

function folderCalled(
  name: string,
  { account, folders }: { readonly account: TestAccount; readonly folders: Map<string, string> },
): string {
  const id = randomUUID()
  folders.set(id, encrypt(name, account.userKey))
  return id
}
