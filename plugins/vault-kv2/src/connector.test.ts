import { collectOpened, openTestClient, testCertificate, testKey } from '@agent-service/kernel/testing'
import type { ServiceError } from '@agent-service/sdk'
import type { VaultConnection } from '@agent-service/sdk/contracts/vault-connector'
import { expect } from 'chai'
import { putSecret } from './test-support/fake-store.js'
import type { FakeAnswer, FakeRequest } from './test-support/fake-vault.js'
import { openKv2Bench } from './test-support/kv2-bench.js'

const { signal } = new AbortController()
const secretOf = (data: object, metadata: object = {}): FakeAnswer => ({
  status: 200,
  body: { data: { data, metadata: { version: 1, created_time: '2024-05-06T07:08:09.123456789Z', ...metadata } } },
})
const failureOf = (promise: Promise<unknown>): Promise<ServiceError> =>
  promise.then(
    () => expect.fail('It was expected to fail.'),
    (error: ServiceError) => error,
  )

describe('the connector for KV version 2', () => {
  const opened = collectOpened()
  afterEach(() => opened.close())

  const open = async () => {
    const http = openTestClient(opened, { names: { 'secure.test': ['127.0.0.1'] }, trusted: [testCertificate] })
    const bench = await openKv2Bench(http, { key: testKey, cert: testCertificate })
    opened.add(() => bench.close())
    const { connector, server, account } = bench
    const { connection } = account
    const withMembers = (members: object): VaultConnection => ({ ...connection, members: { ...connection.members, ...members } })
    const ofData = (answer: (request: FakeRequest) => FakeAnswer | undefined): void => {
      server.intercept = (request) => (request.path.includes('/data/') || request.path.includes('/metadata/') ? answer(request) : undefined)
    }
    const secrets = server.mounts.get('secret') ?? new Map()
    return { ...{ connector, server, connection, withMembers, ofData, secrets }, tokenOf: () => String(connection.members['token']) }
  }

  describe('the mount', () => {
    it('must be one of KV version 2, and not a path inside it', async () => {
      const { connector, server, withMembers, connection } = await open()
      server.otherMounts
        .set('old', { path: 'old/', type: 'kv', options: { version: '1' } })
        .set('older', { path: 'older/', type: 'generic', options: null })
        .set('keys', { path: 'keys/', type: 'transit', options: null })
      for (const [mount, words] of [
        ['old', 'version 1'],
        ['older', 'version 1'],
        ['keys', 'not a KV secrets engine'],
        ['secret/office', 'inside the mount “secret/”'],
      ] as const)
        for (const call of ['test', 'list'] as const) {
          const of = withMembers({ mount })
          const error = await failureOf(call === 'test' ? connector.test(of, { signal }) : connector.list(of, { limit: 1 }, { signal }))
          expect([error.code, error.details['member']], mount).to.deep.equal(['vault_connection_invalid', 'mount'])
          expect(error.message).to.contain(words)
        }
      expect((await failureOf(connector.test(withMembers({ mount: 'absent' }), { signal }))).code).to.equal('vault_forbidden')
      await connector.test({ ...connection, members: withMembers({ mount: '/secret/' }).members }, { signal })
    })

    it('is asked for once, until the connection is closed or changes', async () => {
      const { connector, server, connection, withMembers } = await open()
      const asked = (): number => server.requests.filter(({ path }) => path.includes('ui/mounts')).length
      for (let times = 0; times < 3; times += 1) await connector.read(connection, 'Printer', { signal })
      expect(asked()).to.equal(1)
      await connector.close?.(connection.id)
      await connector.read(connection, 'Printer', { signal })
      expect(asked()).to.equal(2)
      await connector.read(withMembers({ namespace: 'team' }), 'Printer', { signal })
      expect(asked()).to.equal(3)
      expect(server.requests.at(-1)?.headers['x-vault-namespace']).to.equal('team')
    })
  })

  describe('the token', () => {
    it('tells its name, its end, and whether it can be renewed', async () => {
      const { connector, server, connection, tokenOf } = await open()
      const expiresAt = Date.parse('2126-01-02T03:04:05.123Z')
      expect(await connector.test(connection, { signal })).to.deep.equal({ account: 'approle-printer', expiresAt, renewable: true })
      server.tokens.set(tokenOf(), { name: '', mounts: ['secret'] })
      expect(await connector.test(connection, { signal })).to.deep.equal({ account: 'A token without a name', renewable: false })
      expect((await failureOf(Promise.resolve(connector.renew?.(connection, { signal })))).code).to.equal('vault_forbidden')
      server.tokens.set(tokenOf(), { name: 'old', mounts: ['secret'], expires: '2020-01-01T00:00:00Z' })
      const expired = await failureOf(connector.test(connection, { signal }))
      expect([expired.code, expired.details['reason']]).to.deep.equal(['vault_unauthorized', 'expired'])
    })

    it('works without the permission to look itself up', async () => {
      const { connector, server, connection, tokenOf } = await open()
      server.tokens.set(tokenOf(), { name: 'x', mounts: ['secret'], mayLookUp: false, forbidden: ['office'] })
      expect((await connector.test(connection, { signal })).account).to.equal('A token that may not be looked up')
      const error = await failureOf(connector.read(connection, 'office/Router π', { signal }))
      expect(error.code).to.equal('vault_forbidden')
    })
  })

  describe('secrets', () => {
    it('gives values that are not texts as JSON, and keeps their types when it writes', async () => {
      const { connector, connection, secrets } = await open()
      const data = JSON.parse('{"port": 5432, "on": true, "none": null, "deep": {"a": [1]}, "__proto__": "own", "text": "x"}') as object
      putSecret(secrets, 'odd', data as Record<string, unknown>)
      const { fields, item } = await connector.read(connection, 'odd', { signal })
      expect(fields.map(({ name, value }) => [name, value])).to.deep.equal([
        ['port', '5432'],
        ['on', 'true'],
        ['none', 'null'],
        ['deep', '{"a":[1]}'],
        ['__proto__', 'own'],
        ['text', 'x'],
      ])
      const changed = fields.map((field) => (field.name === 'on' ? { ...field, value: 'false' } : field))
      await connector.write?.(connection, { id: item.id, revision: String(item.revision), fields: changed }, { signal })
      expect(secrets.get('odd')?.at(-1)?.data).to.deep.equal({ ...data, on: 'false' })
    })

    it('does not promise that a destroyed version can be restored', async () => {
      const { connector, connection, secrets } = await open()
      const version = secrets.get('Printer')?.at(-1)
      if (version !== undefined) Object.assign(version, { destroyed: true, deleted: '2024-01-01T00:00:00Z' })
      const error = await failureOf(connector.read(connection, 'Printer', { signal }))
      expect([error.code, error.details['deleted']]).to.deep.equal(['vault_item_not_found', false])
    })

    it('writes no secret over one of the same path', async () => {
      const { connector, connection, secrets } = await open()
      const fields = [{ name: 'a', value: 'b', secret: true }]
      const error = await failureOf(Promise.resolve(connector.write?.(connection, { title: 'office/Router π', fields }, { signal })))
      expect(error.code).to.equal('vault_conflict')
      const made = await connector.write?.(connection, { title: ' /new/../folder//one\n', fields }, { signal })
      expect(made).to.include({ id: 'new/folder/one', title: 'one', group: 'new/folder' })
      expect(secrets.get('new/folder/one')?.at(-1)?.data).to.deep.equal({ a: 'b' })
    })

    it('fails for answers that are not those of Vault', async () => {
      const { connector, connection, ofData } = await open()
      const bad: Readonly<Record<string, FakeAnswer>> = {
        'a page': { status: 404, body: '<html>Not found</html>' },
        'a list': { status: 200, body: [] },
        'no version': { status: 200, body: { data: { data: { a: 'b' }, metadata: {} } } },
        'version 1': { status: 200, body: { data: { a: 'b' } } },
        'values that are a list': secretOf([1]),
        'a name without characters': secretOf({ '': 'x' }),
        'a name that is too long': secretOf({ ['x'.repeat(201)]: 'x' }),
        'another status': { status: 418, body: {} },
        'a refused request': { status: 400, body: { errors: ['what?'] } },
      }
      for (const [what, answer] of Object.entries(bad)) {
        ofData(() => answer)
        expect((await failureOf(connector.read(connection, 'Printer', { signal }))).code, what).to.equal('vault_content_invalid')
      }
      ofData(() => ({ status: 400, body: { errors: ['Upgrading from non-versioned to versioned data. Wait.'] } }))
      expect((await failureOf(connector.read(connection, 'Printer', { signal }))).code).to.equal('vault_unavailable')
      for (const keys of [undefined, [1], { a: 1 }]) {
        ofData(() => ({ status: 200, body: { data: { keys } } }))
        expect((await failureOf(connector.list(connection, { limit: 1 }, { signal }))).code).to.equal('vault_content_invalid')
      }
    })
  })

  it('says how long to wait', async () => {
    const { connector, connection, ofData } = await open()
    for (const [value, waits] of [
      ['7', 7_000],
      ['soon', undefined],
      ['-1', undefined],
    ] as const) {
      ofData(() => ({ status: 429, headers: { 'Retry-After': value }, body: {} }))
      const error = await failureOf(connector.read(connection, 'Printer', { signal }))
      expect([error.code, error.details['retryAfterMs']]).to.deep.equal(['vault_rate_limited', waits])
    }
    for (const status of [412, 472, 473, 500, 503]) {
      ofData(() => ({ status, body: { errors: ['no active node'] } }))
      expect((await failureOf(connector.read(connection, 'Printer', { signal }))).code, String(status)).to.equal('vault_unavailable')
    }
  })

  it('follows no redirect, which might take the token elsewhere, and names where it led', async () => {
    const [{ connector, connection, server }, other] = [await open(), await open()]
    const origin = `secure.test:${other.server.port}`
    const targets: readonly (readonly [target: (path: string) => string, named: string])[] = [
      [(path) => `https://${origin}${path}`, `“https://${origin}”`],
      [(path) => `http://${origin}${path}`, `“http://${origin}”`],
      [(path) => `https://a:b@${origin}${path}`, `“https://${origin}”`],
      [(path) => path, `“${new URL(String(connection.members['address'])).origin}”`],
      [(path) => `/vault${path}`, `“${new URL(String(connection.members['address'])).origin}/vault”`],
      [() => `https://${origin}/sign-in?next=1`, `“https://${origin}/sign-in”`],
      [() => 'https://[', 'another address'],
    ]
    for (const status of [301, 302, 303, 307, 308])
      for (const [target, named] of targets) {
        server.intercept = ({ path }) => ({ status, headers: { Location: target(path) } })
        const error = await failureOf(connector.list(connection, { limit: 1 }, { signal }))
        expect([error.code, error.message.includes(named)], `${target('/x')}: ${error.message}`).to.deep.equal(['vault_unavailable', true])
      }
    expect(other.server.requests).to.have.length(0)
    expect(server.requests).to.have.length(35)
  })

  describe('lists', () => {
    it('end a page after some folders, and go on from there', async () => {
      const { connector, server, connection, secrets } = await open()
      secrets.clear()
      for (let folder = 100; folder < 230; folder += 1) putSecret(secrets, `f${folder}/deep/secret ${folder}`, { a: 'b' })
      const titles: string[] = []
      const sizes: number[] = []
      let cursor: string | undefined
      do {
        const before = server.requests.length
        const page = await connector.list(connection, { limit: 200, ...(cursor === undefined ? {} : { cursor }) }, { signal })
        sizes.push(server.requests.length - before)
        titles.push(...page.items.map(({ title }) => title))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(titles).to.deep.equal(Array.from({ length: 130 }, (_, index) => `secret ${index + 100}`))
      expect(sizes.length).to.be.at.least(4)
      for (const size of sizes) expect(size).to.be.at.most(65)
      expect((await connector.list(connection, { limit: 200, text: 'SECRET 229' }, { signal })).items).to.deep.equal([])
    })

    it('leave out folders that the token may not list, folders without end, and names that no path can have', async () => {
      const { connector, server, connection, secrets, ofData, tokenOf } = await open()
      server.tokens.set(tokenOf(), { name: 'x', mounts: ['secret'], forbidden: ['office'] })
      const { items } = await connector.list(connection, { limit: 200 }, { signal })
      expect(items.map(({ id }) => id)).to.deep.equal(['Printer', 'zoo/100% of #1'])
      const keys = ['..', '../', '', '/', 'a/b', 'a\nb', 'good', 'good', 'again/']
      ofData(() => ({ status: 200, body: { data: { keys } } }))
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await connector.list(connection, { limit: 10, ...(cursor === undefined ? {} : { cursor }) }, { signal })
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(ids).to.have.length(33)
      expect(ids.every((id) => /^(again\/)*good$/.test(id))).to.equal(true)
      expect(secrets.size).to.equal(5)
    })
  })
})
