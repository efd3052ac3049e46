import type { VaultConnection, VaultField } from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import type { VaultBench, VaultBenchItem, VaultFault } from '@agent-service/sdk/testing'
import { createKv2Connector } from '../connector.js'
import { deleteSecret, type FakeMount, putSecret } from './fake-store.js'
import { type FakeAnswer, type FakeVault, startFakeVault } from './fake-vault.js'
import { untrustedCertificate, untrustedKey } from './untrusted-certificate.js'

/** Canaries: no error and no log may have them. */
const token = 'hvs.canary-of-the-account'
const otherToken = 'hvs.canary-of-the-other'

/** The certificate for `secure.test` that the client trusts. */
export interface TrustedIdentity {
  readonly key: string
  readonly cert: string
}

const item = (path: string): VaultBenchItem => {
  const [title = '', ...groups] = path.split('/').reverse()
  const fields = [
    { name: 'user', value: `user of ${path}`, secret: true },
    { name: 'password', value: `canary "of" ${path}`, secret: true },
  ]
  return { title, ...(groups.length === 0 ? {} : { group: groups.reverse().join('/') }), fields }
}

const paths = ['Printer', 'office/Router π', 'office/floor 2/Door & Gate', 'office/floor 2?/Window', 'zoo/100% of #1']
const pathOf = ({ title, group }: Pick<VaultBenchItem, 'title' | 'group'>): string => (group === undefined ? title : `${group}/${title}`)
const dataOf = (fields: readonly VaultField[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

const faults: Readonly<
  Record<Exclude<VaultFault, 'down' | 'untrusted' | 'revoked' | 'expired' | 'forbidding' | 'redirecting'>, FakeAnswer | 'silent'>
> = {
  silent: 'silent',
  failing: { status: 502, body: '<html>Bad gateway</html>' },
  sealed: { status: 503, body: { errors: ['Vault is sealed'] } },
  busy: { status: 429, headers: { 'Retry-After': '7' }, body: { errors: ['request path "secret": rate limit quota exceeded'] } },
  damaged: { status: 200, body: '{"data": {"data": {"pass' },
  huge: { status: 200, body: JSON.stringify({ data: { keys: ['x'.repeat(200_000)] } }) },
}

/** A fake Vault with two mounts, and the connector with a client that trusts it. */
export async function openKv2Bench(http: HttpClient, trusted: TrustedIdentity): Promise<VaultBench & { readonly server: FakeVault }> {
  const [server, elsewhere] = [await startFakeVault(trusted), await startFakeVault(trusted)]
  const secrets: FakeMount = new Map()
  const others: FakeMount = new Map()
  server.mounts.set('secret', secrets).set('team/kv', others)
  const own = { name: 'approle-printer', renewable: true, mounts: ['secret'], expires: '2126-01-02T03:04:05.123456789Z' }
  server.tokens.set(token, own).set(otherToken, { name: 'token', mounts: ['team/kv'] })
  const items = paths.map(item)
  for (const each of items) putSecret(secrets, pathOf(each), dataOf(each.fields))
  putSecret(others, 'Alarm', dataOf(item('Alarm').fields))
  const find = (title: string): string =>
    [...secrets.keys()].find((path) => path === title || path.endsWith(`/${title}`)) ?? `no secret “${title}”`
  const connectionOf = (
    id: string,
    members: VaultConnection['members'],
    origin: VaultConnection['origin'] = 'system',
  ): VaultConnection => ({
    ...{ id, origin },
    members: { address: `https://secure.test:${server.port}/`, ...members },
  })
  let broken: VaultFault | undefined
  // Short while the server is silent; on a busy machine, an answer may take its time.
  const limits = {
    get totalMs() {
      return broken === 'silent' ? 300 : 20_000
    },
    maxBodyBytes: 64 * 1024,
  }
  const forbid = (): void => void server.tokens.set(token, { ...own, forbidden: ['', ...paths, 'office', 'zoo'] })
  return {
    server,
    connector: createKv2Connector({ http, now: () => Date.now(), limits }),
    account: { connection: connectionOf('one', { token }), items },
    other: { connection: connectionOf('two', { token: otherToken, mount: 'team/kv' }), items: [item('Alarm')] },
    wrong: { 'a token that is not known': connectionOf('wrong', { token: 'hvs.canary-of-nothing' }) },
    invalid: {
      'a token of two lines': connectionOf('lines', { token: 'hvs.canary\r\nX-Injected: 1' }),
      'a mount that climbs': connectionOf('mount', { token, mount: 'secret/../sys' }),
      'an address with a user': connectionOf('user', { token, address: 'https://user:word@secure.test' }),
      'http for a user': connectionOf('http', { token, address: 'http://secure.test' }, 'user'),
    },
    fixed: connectionOf('fixed', { token: otherToken, mount: 'team/kv' }),
    inward: { connection: connectionOf('inward', { token }, 'user'), connections: () => server.connections },
    add: async (each) => void putSecret(secrets, pathOf(each), dataOf(each.fields)),
    change: async (title, { fields }) => void putSecret(secrets, find(title), dataOf(fields)),
    remove: async (title) => deleteSecret(secrets, find(title)),
    async break(fault) {
      broken = fault
      if (fault === 'down') await server.down()
      else if (fault === 'untrusted') server.present({ key: untrustedKey, cert: untrustedCertificate })
      else if (fault === 'forbidding') forbid()
      else if (fault === 'revoked' || fault === 'expired') server.tokens.delete(token)
      else if (fault === 'redirecting')
        server.intercept = ({ path }) => ({ status: 307, headers: { Location: `https://secure.test:${elsewhere.port}${path}` } })
      else server.intercept = () => faults[fault]
    },
    elsewhere: () => elsewhere.requests.map((request) => JSON.stringify(request)),
    async mend() {
      server.intercept = () => undefined
      server.tokens.set(token, own)
      if (broken === 'untrusted') server.present(trusted)
      await server.up()
      broken = undefined
    },
    async close() {
      await Promise.all([server.down(), elsewhere.down()])
    },
  }
}
