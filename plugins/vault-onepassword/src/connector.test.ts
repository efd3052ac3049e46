import type { Item } from '@1password/sdk'
import type { ServiceError } from '@agent-service/sdk'
import { processTimers } from '@agent-service/sdk/async'
import type { VaultConnection, VaultConnector } from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClientRequest, HttpClientResponse } from '@agent-service/sdk/services/http-client'
import { expect } from 'chai'
import { createOnePasswordConnector } from './connector.js'
import { type FakeVault, makeItem } from './test-support/fake-one-password.js'
import { openOnePasswordBench, tokenFor } from './test-support/one-password-bench.js'
import { usualLimits } from './thread/index.js'

const { signal } = new AbortController()
const failureOf = (promise: Promise<unknown>): Promise<ServiceError> =>
  promise.then(
    () => expect.fail('It was expected to fail.'),
    (error: ServiceError) => error,
  )
const connectionOf = (service_account_token: string): VaultConnection => ({ id: 'one', origin: 'user', members: { service_account_token } })

describe('the connector for 1Password', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  const open = () => {
    const bench = openOnePasswordBench()
    closing.push(() => bench.close())
    const { connection } = bench.account
    const { vault_id: _, ...members } = connection.members
    const vaults = bench.server.accounts.get(String(members['service_account_token'])) ?? new Map<string, FakeVault>()
    const whole: VaultConnection = { ...connection, id: 'whole', members }
    const officeId = [...vaults].find(([, { title }]) => title === 'Office')?.[0] ?? ''
    return { ...bench, connection, whole, vaults, officeId, office: vaults.get(officeId)?.items ?? new Map<string, Item>() }
  }

  it('lists all vaults page by page, and needs one by name for new items', async () => {
    const { connector, whole } = open()
    const titles: string[] = []
    let cursor: string | undefined
    do {
      const page = await connector.list(whole, { limit: 2, ...(cursor === undefined ? {} : { cursor }) }, { signal })
      expect(page.items.length).to.be.at.most(2)
      titles.push(...page.items.map(({ title, group }) => `${group}: ${title}`))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    const office = ['Printer', 'Router π', 'Door & Gate', 'Window'].map((title) => `Office: ${title}`)
    expect(titles).to.deep.equal(['Home: Unseen', 'Home: Unseen too', ...office])
    const error = await failureOf(Promise.resolve(connector.write?.(whole, { title: 'New', fields: [] }, { signal })))
    expect([error.code, error.details['member']]).to.deep.equal(['vault_connection_invalid', 'vault_id'])
  })

  it('reads no item outside the vault of the connection', async () => {
    const { connector, connection, whole } = open()
    const { items } = await connector.list(whole, { limit: 1 }, { signal })
    const id = items[0]?.id ?? ''
    expect((await connector.read(whole, id, { signal })).item.title).to.equal('Unseen')
    expect((await failureOf(connector.read(connection, id, { signal }))).code).to.equal('vault_item_not_found')
  })

  it('names fields apart, reads notes, and takes every unknown type for a secret', async () => {
    const { connector, connection, office, officeId } = open()
    const field = (title: string, fieldType: string, sectionId?: string): Item['fields'][number] => ({
      ...{ id: `${title} ${fieldType} ${sectionId}`, title, value: `${title} ${fieldType}` },
      fieldType: fieldType as 'Text' as Item['fields'][number]['fieldType'],
      ...(sectionId === undefined ? {} : { sectionId }),
    })
    const fields = [
      field('key', 'Text'),
      field('key', 'Concealed', 's'),
      field('key', 'Totp', 's'),
      field('', 'NewType'),
      field('notes', 'Email'),
    ]
    const id = 'b'.repeat(26)
    office.set(id, { ...makeItem(id, officeId, 'Odd', fields), notes: 'A note', sections: [{ id: 's', title: 'Server' }] })
    const read = await connector.read(connection, `op://${officeId}/${id}`, { signal })
    expect(read.fields.map(({ name, secret }) => [name, secret])).to.deep.equal([
      ['key', false],
      ['Server key', true],
      ['key (2)', true],
      [' NewType undefined', true],
      ['notes (2)', false],
      ['notes', true],
    ])
    const changed = read.fields.filter(({ name }) => name !== 'key (2)').map((each) => ({ ...each, value: 'changed', secret: true }))
    await connector.write?.(
      connection,
      { id: read.item.id, title: 'Even', fields: [...changed, { name: 'more', value: '1', secret: false }] },
      { signal },
    )
    const after = office.get(id)
    expect([after?.title, after?.notes, after?.version]).to.deep.equal(['Even', 'changed', 2])
    expect(after?.fields.map(({ title, fieldType, sectionId }) => [title, fieldType, sectionId])).to.deep.equal([
      ['key', 'Concealed', undefined],
      ['key', 'Concealed', 's'],
      ['', 'NewType', undefined],
      ['notes', 'Concealed', undefined],
      ['more', 'Text', 'add more'],
    ])
    expect(after?.sections.map((section) => section.id)).to.deep.equal(['s', 'add more'])
  })

  it('signs in again when its session has ended, once', async () => {
    const { connector, connection, server } = open()
    await connector.list(connection, { limit: 1 }, { signal })
    server.sessionsToEnd = 1
    await connector.list(connection, { limit: 1 }, { signal })
    expect(server.signIns).to.equal(2)
    server.sessionsToEnd = 10
    const error = await failureOf(connector.list(connection, { limit: 1 }, { signal }))
    expect([error.code, error.details['reason']]).to.deep.equal(['vault_unauthorized', 'expired'])
  })

  it('signs in anew for a test of the connection', async () => {
    const { connector, connection, server } = open()
    for (let times = 0; times < 2; times += 1) await connector.test(connection, { signal })
    expect(server.signIns).to.equal(2)
  })

  it('sends nothing but to the hosts of 1Password', async () => {
    const { connector, connection, server } = open()
    await connector.list(connection, { limit: 1 }, { signal })
    for (const { hosts, ports, redirect, allowPrivate, allowHttp } of server.requests) {
      expect([hosts, ports, redirect]).to.deep.equal([['*.1password.com', '*.1password.ca', '*.1password.eu'], [443], 'refuse'])
      expect([allowPrivate, allowHttp]).to.deep.equal([undefined, undefined])
    }
  })

  it('goes on in a new thread when the SDK ends its thread', async () => {
    const crash = `export const createClient = async () => { setTimeout(() => { throw new Error('canary') }); return new Promise(() => {}) }`
    const { connector, connection } = withSdk(`data:text/javascript,${encodeURIComponent(crash)}`)
    for (let times = 0; times < 2; times += 1) {
      const error = await failureOf(connector.test(connection, { signal }))
      expect([error.code, error.message.includes('canary')]).to.deep.equal(['vault_unavailable', false])
    }
  })

  it('does not take answers in a wrong form', async () => {
    const odd = `export const createClient = async () => ({ vaults: { list: async () => [{}] }, items: { list: async () => null, get: async () => ({}) } })`
    const { connector, connection } = withSdk(`data:text/javascript,${encodeURIComponent(odd)}`)
    const id = `op://${'a'.repeat(26)}/${'b'.repeat(26)}`
    const calls = [() => connector.list(connection, { limit: 1 }, { signal }), () => connector.read(connection, id, { signal })]
    for (const call of calls) expect((await failureOf(call())).code).to.equal('vault_content_invalid')
  })

  it('gives the real SDK the guarded client for its network, and understands what it says', async () => {
    const requests: HttpClientRequest[] = []
    let status = 401
    const { connector, connection } = withSdk(undefined, async (request) => {
      requests.push(request)
      return {
        status,
        headers: { 'content-type': 'application/json' },
        url: request.url,
        redirects: 0,
        body: new TextEncoder().encode('{}'),
      }
    })
    const codes: Record<number, string> = {}
    for (status of [400, 401, 403, 429, 500, 503, 200]) codes[status] = (await failureOf(connector.test(connection, { signal }))).code
    expect(codes).to.deep.equal({
      200: 'vault_unauthorized',
      400: 'vault_unauthorized',
      401: 'vault_unauthorized',
      403: 'vault_unauthorized',
      429: 'vault_rate_limited',
      500: 'vault_unavailable',
      503: 'vault_unavailable',
    })
    expect(new Set(requests.map(({ url, method }) => `${method} ${url}`))).to.deep.equal(
      new Set(['POST https://my.1password.com/api/v3/auth/start']),
    )
    const bare = await failureOf(connector.test(connectionOf(tokenFor('one')), { signal }))
    expect([bare.code, bare.details['member']]).to.deep.equal(['vault_connection_invalid', 'service_account_token'])
  })

  /** A connector with another module for the SDK, and a token that the real one reads. */
  function withSdk(
    sdk: string | undefined,
    answer: (request: HttpClientRequest) => Promise<HttpClientResponse> = () => Promise.reject(new Error('no network')),
  ): { readonly connector: VaultConnector; readonly connection: VaultConnection } {
    const http = { request: answer, stream: () => Promise.reject(new Error('no streams')) }
    const made = createOnePasswordConnector({ http, clock: processTimers, limits: usualLimits, ...(sdk === undefined ? {} : { sdk }) })
    closing.push(made.close)
    return { connector: made.connector, connection: connectionOf(wholeToken()) }
  }
})

/** A token with all members that the real SDK looks for. Its keys open nothing. */
function wholeToken(): string {
  const content = {
    ...{ signInAddress: 'my.1password.com', email: 'one@1passwordserviceaccounts.com', deviceUuid: 'abcdefghijklmnopqrstuvwxyz' },
    muk: {
      alg: 'A256GCM',
      ext: true,
      k: Buffer.alloc(32, 7).toString('base64url'),
      key_ops: ['decrypt', 'encrypt'],
      kty: 'oct',
      kid: 'mp',
    },
    ...{ secretKey: 'A3-C4ZTA6-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX', srpX: 'ab'.repeat(32) },
    throttleSecret: { seed: 'a'.repeat(64), uuid: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' },
    userAuth: { method: 'SRPg-4096', alg: 'PBES2g-HS256', iterations: 650_000, salt: 'abcdefghijklmnop' },
  }
  return `ops_${Buffer.from(JSON.stringify(content)).toString('base64url')}`
}
