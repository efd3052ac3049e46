import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { VaultConnector, VaultField } from '@agent-service/sdk/contracts/vault-connector'
import {
  connectionTo,
  createTestAccount,
  createTestConnector,
  encryptLogin,
  encryptText,
  never,
  startTestServer,
  type TestKdf,
  type TestServer,
} from '@agent-service/vault-bitwarden/testing'
import { installPeer } from '../bench/peers.js'
import type { CampaignOptions } from './index.js'
import { type BitwardenCommand, type CommandItem, signInCommand } from './support/bitwarden-command.js'

const derivations: Readonly<Record<string, TestKdf>> = {
  pbkdf2: { kdfType: 0, iterations: 600_000, memory: null, parallelism: null },
  argon2id: { kdfType: 1, iterations: 3, memory: 64, parallelism: 4 },
}

/**
 * Holds the connector for Bitwarden and the server of its tests against the official command: both
 * have to read the same values from the server, and each what the other has written. @throws with
 * the first difference.
 */
export async function run({ print }: CampaignOptions): Promise<void> {
  if (!(await installPeer('bitwarden-cli', print))) throw new Error('The official command cannot be installed here.')
  for (const [name, kdf] of Object.entries(derivations)) {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bitwarden-'))
    try {
      await compare({ name, kdf, folder, print })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

interface Comparison {
  readonly name: string
  readonly kdf: TestKdf
  readonly folder: string
  readonly print: (line: string) => void
}

async function compare({ name, kdf, folder, print }: Comparison): Promise<void> {
  const tls = await makeCertificate(folder)
  const server = await startTestServer(await createTestAccount({ kdf }), { tls })
  try {
    fill(server)
    const connector = createTestConnector({ ca: tls.cert })
    const { account, url } = server
    const command = await signInCommand({
      ...{ url, folder, clientId: `user.${account.id}`, clientSecret: account.clientSecret, password: account.password },
      certificateFile: path.join(folder, 'certificate.pem'),
    })
    print(`${name}: the official command has signed in and unlocked`)
    const count = await compareItems({ server, connector, command })
    print(`${name}: both read the same ${count} items`)
    const own = await writeWithConnector({ server, connector, command })
    print(`${name}: the official command reads what the connector wrote, with ${own} former password`)
    await writeWithCommand({ server, connector, command })
    print(`${name}: the connector reads what the official command wrote`)
    await compareItems({ server, connector, command })
  } finally {
    await server.close()
  }
}

interface Sides {
  readonly server: TestServer
  readonly connector: VaultConnector
  readonly command: BitwardenCommand
}

async function makeCertificate(folder: string): Promise<{ readonly key: string; readonly cert: string }> {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', cert, ...subject])
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

/** One item of each kind, with all that an item can have. */
function fill(server: TestServer): void {
  const { userKey, organization } = server.account
  const of = (value: string, key = userKey): string => encryptText(value, key)
  const [folderId, collectionId] = [randomUUID(), randomUUID()]
  server.folders.set(folderId, of('Money'))
  server.collections.set(collectionId, of('Counter', organization.key))
  const fields = [
    { name: 'PIN', value: 'hidden-π', type: 1 },
    { name: 'place', value: 'cellar', type: 0 },
    { name: 'open', value: 'true', type: 2 },
  ]
  const bank = { username: 'ada', password: 's3cr3t-π', uri: 'https://bank.example/', notes: 'two\nlines', fields }
  server.put({ ...encryptLogin('Bank', bank, userKey), folderId })
  const ownKey = randomBytes(64)
  server.put({
    ...encryptLogin('With a key of its own', { username: 'own', password: 'own secret' }, ownKey),
    key: encryptText(ownKey, userKey),
  })
  const shared = encryptLogin('Shared', { username: 'all', password: 'shared secret' }, organization.key)
  server.put({ ...shared, organizationId: organization.id, collectionIds: [collectionId] })
  server.put({ type: 2, name: of('Note'), notes: of('the note itself'), secureNote: { type: 0 } })
  const card = {
    cardholderName: of('Ada'),
    brand: of('Visa'),
    number: of('4111111111111111'),
    expMonth: of('4'),
    expYear: of('2031'),
    code: of('123'),
  }
  server.put({ type: 3, name: of('Card'), card })
  const person = {
    title: 'Ms',
    firstName: 'Ada',
    lastName: 'Ödön',
    email: 'ada@example.org',
    ssn: '078-05-1120',
    passportNumber: 'P1',
    licenseNumber: 'L1',
  }
  const identity = Object.fromEntries(Object.entries(person).map(([name, value]) => [name, of(value)]))
  server.put({ type: 4, name: of('Person'), identity })
  const ssh = { privateKey: of('-----BEGIN OPENSSH PRIVATE KEY-----'), publicKey: of('ssh-ed25519 AAAA'), keyFingerprint: of('SHA256:abc') }
  server.put({ type: 5, name: of('Server'), sshKey: ssh })
  server.trash(server.put(encryptLogin('Gone', { password: 'gone' }, userKey)))
}

/** @throws if a value, a title or an item differs. */
async function compareItems({ server, connector, command }: Sides): Promise<number> {
  const connection = connectionTo(server)
  const theirs = await command.items()
  const { items } = await connector.list(connection, { limit: 200 }, never)
  assert.deepEqual(items.map(({ id, title }) => `${id} ${title}`).sort(), theirs.map(({ id, name }) => `${id} ${name}`).sort())
  for (const item of theirs) {
    const { fields } = await connector.read(connection, item.id, never)
    assert.deepEqual(Object.fromEntries(fields.map(({ name, value }) => [name, value])), fieldsOf(item), `the fields of “${item.name}”`)
  }
  return items.length
}

/** What the command shows of an item, by the names that the connector gives. */
function fieldsOf({ login, card, identity, sshKey, notes, fields = [] }: CommandItem): Readonly<Record<string, string>> {
  const uris = (login?.uris ?? []).map(({ uri }, index): [string, string] => [index === 0 ? 'uri' : `uri ${index + 1}`, uri])
  const { username, password, totp } = login ?? {}
  const all = [
    ...Object.entries({ username, password, totp, ...card, ...identity, ...sshKey, notes }),
    ...uris,
    ...fields.map(({ name, value }): [string, string | null] => [name, value]),
  ]
  return Object.fromEntries(all.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])))
}

const secret = (name: string, value: string): VaultField => ({ name, value, secret: true })

async function writeWithConnector({ server, connector, command }: Sides): Promise<number> {
  const connection = connectionTo(server)
  const fields = [secret('password', 'made here'), secret('PIN', '1'), { name: 'uri', value: 'https://made.example', secret: false }]
  const made = await connector.write?.(connection, { title: 'Made by the connector', fields }, never)
  for (const title of ['Made by the connector', 'With a key of its own', 'Shared']) {
    const { items } = await connector.list(connection, { limit: 1, text: title }, never)
    const id = items[0]?.id ?? ''
    await connector.write?.(connection, { id, fields: [...fields.slice(1), secret('password', `changed here: ${title}`)] }, never)
  }
  const theirs = await command.items()
  for (const { name, login, fields: custom } of theirs.filter((item) => item.login?.password?.startsWith('changed here') === true)) {
    assert.equal(login?.password, `changed here: ${name}`)
    assert.deepEqual(
      login?.uris?.map(({ uri }) => uri),
      ['https://made.example'],
      `the address of “${name}”`,
    )
    assert.deepEqual(
      custom?.map(({ name: field, value, type }) => [field, value, type]),
      [['PIN', '1', 1]],
      `the field of “${name}”`,
    )
  }
  assert.equal(theirs.filter((item) => item.login?.password?.startsWith('changed here') === true).length, 3)
  const history = theirs.find(({ id }) => id === made?.id)?.passwordHistory ?? []
  assert.deepEqual(
    history.map(({ password }) => password),
    ['made here'],
  )
  return history.length
}

async function writeWithCommand({ server, connector, command }: Sides): Promise<void> {
  const connection = connectionTo(server)
  const template = {
    type: 1,
    name: 'Made by the command',
    notes: null,
    fields: [],
    login: { username: 'bw', password: 'theirs π', totp: null, uris: [] },
  }
  const encode = (item: unknown): string => Buffer.from(JSON.stringify(item)).toString('base64')
  const { id } = JSON.parse(await command.run('create', 'item', encode(template))) as { readonly id: string }
  const before = await connector.read(connection, id, never)
  assert.equal(before.fields.find(({ name }) => name === 'password')?.value, 'theirs π')
  await command.run('edit', 'item', id, encode({ ...template, login: { ...template.login, password: 'theirs again' } }))
  const late = {
    id,
    fields: [secret('password', 'too late')],
    ...(before.item.revision === undefined ? {} : { revision: before.item.revision }),
  }
  await assert.rejects(async () => connector.write?.(connection, late, never), { code: 'vault_conflict' })
  const { fields } = await connector.read(connection, id, never)
  assert.equal(fields.find(({ name }) => name === 'password')?.value, 'theirs again')
}
