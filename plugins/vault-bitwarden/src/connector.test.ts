import { randomBytes, randomUUID } from 'node:crypto'
import type { VaultConnector, VaultField } from '@agent-service/sdk/contracts/vault-connector'
import { expect } from 'chai'
import { encrypt } from './crypto/encrypted-strings.js'
import { listOf } from './json/camel-case.js'
import { cheapArgon2, createTestAccount, type TestAccount } from './testing/test-account.js'
import { connectionTo, createTestConnector, failureOf, never } from './testing/test-connector.js'
import { encryptLogin, startTestServer, type TestServer } from './testing/test-server.js'

const valuesOf = (fields: readonly VaultField[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

describe('the connector for Bitwarden', () => {
  let account: TestAccount
  let server: TestServer
  let connector: VaultConnector
  let time: number

  before(async () => {
    account = await createTestAccount()
  })
  beforeEach(async () => {
    time = 1_000_000
    server = await startTestServer(account)
    connector = createTestConnector({ now: () => time })
  })
  afterEach(() => server.close())

  const put = (title = 'Bank', fields = { username: 'ada', password: 'canary secret' }): string =>
    server.put(encryptLogin(title, fields, account.userKey))
  const count = (path: string): number => server.seen.filter((request) => request.path === path).length

  it('signs in once, sends no master password, and asks for all items only after a change', async () => {
    const id = put()
    const connection = connectionTo(server)
    await connector.list(connection, { limit: 10 }, never)
    await connector.list(connection, { limit: 10, text: 'bank' }, never)
    await connector.read(connection, id, never)
    expect([count('/identity/connect/token'), count('/api/sync')]).to.deep.equal([1, 1])
    put('Another')
    expect((await connector.list(connection, { limit: 10 }, never)).items).to.have.length(2)
    expect(count('/api/sync')).to.equal(2)
    expect(JSON.stringify(server.seen)).to.not.include(account.password).and.not.include(encodeURIComponent(account.password))
  })

  it('signs in again when the token has ended, by its time or by the server', async () => {
    const id = put()
    const connection = connectionTo(server)
    await connector.read(connection, id, never)
    time += 3_600_000
    await connector.read(connection, id, never)
    expect(count('/identity/connect/token')).to.equal(2)
    server.expireTokens()
    await connector.read(connection, id, never)
    expect(count('/identity/connect/token')).to.equal(3)
  })

  it('reads no item with so many fields that it would hold up everything else, and lists it all the same', async () => {
    const name = encrypt('same', account.userKey)
    const { fields: _, ...login } = encryptLogin('Crowded', { password: 'x' }, account.userKey) as { readonly fields?: unknown }
    const id = server.put({ ...login, fields: Array.from({ length: 3_000 }, () => ({ type: 0, name, value: name, linkedId: null })) })
    expect((await connector.list(connectionTo(server), { limit: 1 }, never)).items[0]?.title).to.equal('Crowded')
    const failure = await failureOf(connector.read(connectionTo(server), id, never))
    expect(failure).to.have.property('code', 'vault_content_invalid')
    expect(failure.message).to.match(/more than 300 fields/)
  })

  it('opens an account whose key is derived with Argon2id', async () => {
    const other = await startTestServer(await createTestAccount({ kdf: cheapArgon2 }))
    try {
      other.put(encryptLogin('Car', { password: 'x' }, other.account.userKey))
      expect((await connector.list(connectionTo(other), { limit: 1 }, never)).items[0]?.title).to.equal('Car')
    } finally {
      await other.close()
    }
  })

  const costs: readonly (readonly [what: string, kdf: Readonly<Record<string, unknown>>, reason: RegExp])[] = [
    ['2³¹ iterations', { Kdf: 0, KdfIterations: 2 ** 31 }, /asks for 2147483648 iterations, and 2000000 are permitted/],
    ['too many passes', { Kdf: 1, KdfIterations: 11, KdfMemory: 64, KdfParallelism: 4 }, /11 iterations, and 10/],
    ['too much memory', { Kdf: 1, KdfIterations: 3, KdfMemory: 2 ** 22, KdfParallelism: 4 }, /4194304 MiB of memory, and 1024/],
    ['too many threads', { Kdf: 1, KdfIterations: 3, KdfMemory: 64, KdfParallelism: 999 }, /999 threads, and 16/],
    ['no iterations', { Kdf: 0, KdfIterations: 'canary' }, /is no number/],
    ['an unknown derivation', { Kdf: 7, KdfIterations: 1 }, /not known/],
  ]
  for (const [what, kdf, reason] of costs)
    it(`refuses a server that asks for ${what}, before anything is derived`, async () => {
      server.signInAnswer = { UserDecryptionOptions: null, ...kdf }
      const failure = await failureOf(connector.test(connectionTo(server), never))
      expect(failure).to.have.property('code', 'vault_content_invalid')
      expect(failure.message)
        .to.match(reason)
        .and.not.match(/canary/)
    })

  const refusals: readonly (readonly [what: string, status: number, body: unknown, reason: string])[] = [
    ['a second factor', 400, { error: 'invalid_grant', TwoFactorProviders2: { 0: null } }, 'second_factor'],
    ['the check of a new device', 400, { error_description: 'New device verification required' }, 'second_factor'],
    ['another secret', 400, { error: 'invalid_client' }, 'wrong'],
    ['another secret, in the way of Vaultwarden', 400, { ErrorModel: { Message: 'Incorrect client_secret' }, error: '' }, 'wrong'],
    ['an account in use', 400, { ErrorModel: { Message: 'This user has been disabled (API key login)' } }, 'revoked'],
    ['something else', 400, 'canary <html>', 'unknown'],
  ]
  for (const [what, status, body, reason] of refusals)
    it(`tells why the server refuses: it wants ${what}`, async () => {
      server.signInFailure = { status, body }
      const failure = await failureOf(connector.test(connectionTo(server), never))
      expect(failure).to.deep.include({ code: 'vault_unauthorized', details: { vault: 'The Bitwarden server', reason } })
      expect(failure.message).to.not.match(/canary/)
    })

  it('tells how long a busy server wants to be left alone, and follows no redirect', async () => {
    server.fault = 'busy'
    const busy = await failureOf(connector.test(connectionTo(server), never))
    expect(busy).to.deep.include({ code: 'vault_rate_limited', details: { vault: 'The Bitwarden server', retryAfterMs: 7_000 } })
    server.fault = 'redirecting'
    const redirected = await failureOf(connector.test(connectionTo(server), never))
    expect(redirected).to.deep.include({ code: 'vault_connection_invalid' })
    expect(redirected.message).to.not.include('elsewhere')
  })

  it('reads every kind of item, its own keys and those of organisations', async () => {
    const { userKey, organization } = account
    const collection = randomUUID()
    server.collections.set(collection, encrypt('Counter', organization.key))
    const own = randomBytes(64)
    const text = (value: string): string => encrypt(value, userKey)
    server.put({ ...encryptLogin('Own key', { password: 'a' }, own), key: encrypt(own, userKey) })
    const shared = encryptLogin('Shared', { password: 'b' }, organization.key)
    server.put({ ...shared, organizationId: organization.id, collectionIds: [collection] })
    server.put({ type: 2, name: text('Note'), notes: text('c') })
    server.put({ type: 3, name: text('Card'), card: { number: text('4111'), code: text('123'), brand: text('Visa') } })
    server.put({ type: 4, name: text('Person'), identity: { firstName: text('Ada'), ssn: text('078') } })
    server.put({ type: 5, name: text('Key'), sshKey: { privateKey: text('p'), publicKey: text('q'), keyFingerprint: text('r') } })
    const fields = ['a', 'a', 'a'].map((value, type) => ({ name: 'same', value, type }))
    server.put(encryptLogin('Doubled', { username: 'u', fields: [...fields, { name: 'username', value: 'v', type: 0 }] }, userKey))
    const connection = connectionTo(server)
    const { items } = await connector.list(connection, { limit: 20 }, never)
    const read = async (title: string) => connector.read(connection, items.find((item) => item.title === title)?.id ?? '', never)
    expect((await read('Shared')).item).to.include({ group: 'Town hall/Counter' })
    const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'Own key': { password: 'a' },
      Shared: { password: 'b' },
      Note: { notes: 'c' },
      Card: { brand: 'Visa', number: '4111', code: '123' },
      Person: { firstName: 'Ada', ssn: '078' },
      Key: { privateKey: 'p', publicKey: 'q', keyFingerprint: 'r' },
      Doubled: { username: 'u', same: 'a', 'same (2)': 'a', 'same (3)': 'a', 'username (2)': 'v' },
    }
    for (const [title, values] of Object.entries(expected)) expect(valuesOf((await read(title)).fields), title).to.deep.equal(values)
    const secrets = (await Promise.all(Object.keys(expected).map(read))).flatMap((each) => each.fields.filter(({ secret }) => secret))
    expect(secrets.map(({ name }) => name)).to.have.members([
      'password',
      'password',
      'notes',
      'number',
      'code',
      'ssn',
      'privateKey',
      'same (2)',
    ])
  })

  it('lists an item that its keys do not open, and refuses to read it, as one whose MAC does not fit', async () => {
    const foreign = server.put(encryptLogin('Foreign', { password: 'canary' }, randomBytes(64)))
    const good = encryptLogin('Flipped', { password: 'canary value' }, account.userKey)
    const login = good['login'] as { readonly password: string }
    const [vector, data = '', mac] = login.password.split('|')
    const bytes = Buffer.from(data, 'base64')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    const flipped = server.put({ ...good, login: { ...login, password: [vector, bytes.toString('base64'), mac].join('|') } })
    const weak = server.put({ ...good, login: { ...login, password: `0.${vector?.slice(2)}|${data}` } })
    const connection = connectionTo(server)
    const titles = (await connector.list(connection, { limit: 9 }, never)).items.map(({ title }) => title)
    expect(titles).to.have.members(['(cannot be decrypted)', 'Flipped', 'Flipped'])
    for (const id of [foreign, flipped, weak]) {
      const failure = await failureOf(connector.read(connection, id, never))
      expect(failure).to.have.property('code', 'vault_content_invalid')
      expect(failure.message).to.not.match(/canary/)
    }
  })

  it('changes a login without losing what it does not show, and keeps the former password', async () => {
    const text = (value: string): string => encrypt(value, account.userKey)
    const id = server.put({
      ...encryptLogin('Bank', { username: 'ada', password: 'old', fields: [{ name: 'open', value: 'true', type: 2 }] }, account.userKey),
      ...{ favorite: true, reprompt: 1 },
    })
    const stored = server.ciphers.get(id)
    const login = stored?.['login'] as Record<string, unknown>
    const uris = [{ uri: text('https://a.example'), match: 3 }]
    const linked = { type: 3, name: text('link'), value: null, linkedId: 100 }
    server.put(
      { login: { ...login, uris, fido2Credentials: [{ credentialId: 'x' }] }, fields: [...listOf(stored?.['fields']), linked] },
      id,
    )
    const connection = connectionTo(server)
    const { fields } = await connector.read(connection, id, never)
    const changed = fields.map((field) => (field.name === 'password' ? { ...field, value: 'new' } : field))
    await connector.write?.(connection, { id, title: 'Bank 2', fields: changed }, never)
    const after = server.ciphers.get(id)
    expect(after).to.deep.include({ favorite: true, reprompt: 1 })
    expect(after?.['login']).to.deep.include({ uris, fido2Credentials: [{ credentialId: 'x' }], username: login['username'] })
    expect(JSON.stringify(after?.['fields'])).to.match(/^\[\{"type":2,[^{]*\{"type":3,[^{]*\]$/)
    const [former, ...more] = listOf(after?.['passwordHistory'])
    expect([former?.['password'], more]).to.deep.equal([login['password'], []])
    expect((await connector.read(connection, id, never)).item.title).to.equal('Bank 2')
    expect(server.seen.map(({ body }) => body).join()).to.not.include('new"')
  })

  it('changes logins only, and only where the account may', async () => {
    const note = server.put({ type: 2, name: encrypt('Note', account.userKey), notes: encrypt('x', account.userKey) })
    const fixed = server.put({ ...encryptLogin('Fixed', { password: 'x' }, account.userKey), edit: false })
    for (const id of [note, fixed])
      expect(await failureOf((async () => connector.write?.(connectionTo(server), { id, fields: [] }, never))())).to.have.property(
        'code',
        'vault_forbidden',
      )
    const twice = [1, 2].map((value) => ({ name: 'PIN', value: String(value), secret: true }))
    const failure = await failureOf((async () => connector.write?.(connectionTo(server), { title: 'x', fields: twice }, never))())
    expect(failure).to.have.property('code', 'vault_content_invalid')
  })

  it('finds items among a thousand', async () => {
    for (let index = 0; index < 1_000; index += 1) put(`Item ${index}`)
    const { items } = await connector.list(connectionTo(server), { limit: 200, text: 'item 29' }, never)
    expect(items).to.have.length(11)
  })
})
