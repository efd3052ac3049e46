import { expect } from 'chai'
import { expectProblem, type ProblemBody } from '../bad-input/support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from '../bad-input/support/hostile-target.js'
import { fillUnknownIds, type Operation, readOperations } from '../bad-input/support/operations.js'
import type { RawRequest } from '../bad-input/support/raw-http.js'

/** What a page of another site makes a browser send. The service is asked as `localhost`. */
const foreignPages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another site': { Origin: 'https://evil.example' },
  'a site whose name begins alike': { Origin: 'http://localhost.evil.example' },
  'a name before an @': { Origin: 'http://localhost@evil.example' },
  'a fragment': { Origin: 'http://evil.example#localhost' },
  'another port': { Origin: 'http://localhost:8080' },
  'another kind of page': { Origin: 'file://localhost' },
  'a hidden origin': { Origin: 'null' },
  'an origin in pieces': { Origin: 'http://localhost, https://evil.example' },
  'an origin of nothing': { Origin: '' },
  'a browser that hides the origin': { 'Sec-Fetch-Site': 'cross-site' },
  'another host of the same site': { 'Sec-Fetch-Site': 'same-site' },
}

const scopes = ['read', 'write', 'admin', 'inference', 'metrics']

describe('every operation, asked for without the right to it', function () {
  this.timeout(30_000)
  let target: HostileTarget
  let operations: readonly Operation[]
  let untouched: unknown
  let cookie: string
  let clients = 0

  before(async () => {
    target = await startHostileTarget()
    operations = await readOperations(target.url)
    cookie = await adminCookie()
    untouched = await target.state()
  })
  after(() => target?.close())
  afterEach(async () => expect(await target.state()).to.deep.equal(untouched))

  async function adminCookie(): Promise<string> {
    const credentials = JSON.stringify({ username: 'admin', password: 'a long enough password' })
    const signedIn = await target.send('/api/auth/login', { method: 'POST', body: credentials })
    const given = (signedIn.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    const own = await target.send('/api/auth/me', { headers: { Cookie: given } })
    expect(own.status, 'The cookie is a credential.').to.equal(200)
    return given
  }

  /**
   * Each from an address of its own, with a body that no operation takes: who may not is told so
   * before it is looked at.
   */
  const ask = async ({ method, path, hasBody }: Operation, request: RawRequest, query = ''): Promise<ProblemBody> => {
    clients += 1
    const from = `127.4.${clients >> 8}.${clients & 255 || 1}`
    const answer = await target.send(
      `${fillUnknownIds(path)}${query}`,
      { method, ...(hasBody ? { body: '{"' } : {}), ...request },
      { from },
    )
    return expectProblem(answer, `${method} ${path} ${JSON.stringify(request)}`)
  }
  const everyone = async (
    chosen: readonly Operation[],
    request: (operation: Operation) => RawRequest,
    expected: readonly [number, string],
    query = '',
  ): Promise<void> => {
    expect(chosen).to.not.be.empty
    await Promise.all(
      chosen.map(async (operation) => {
        const { status, code, detail } = await ask(operation, request(operation), query)
        expect([operation.id, status, code], detail).to.deep.equal([operation.id, ...expected])
      }),
    )
  }
  const closed = (): readonly Operation[] => operations.filter(({ auth }) => auth !== 'public')
  const tokenWith = async (given: readonly string[]): Promise<string> => {
    const { body } = await target.admin.request('POST', '/api/auth/tokens', { name: given.join(' '), scopes: given })
    return String(body['token'])
  }

  it('8.2.1 is refused without a credential, and with one that is none', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer nonsense' },
      { Authorization: `Basic ${Buffer.from('admin:a long enough password').toString('base64')}` },
      { Authorization: `Bearer ${target.admin.token.slice(0, -2)}` },
      { Authorization: `Bearer svc_pat_${'a'.repeat(36)}` },
      { Cookie: 'refresh_token=nonsense' },
      { Cookie: `access_token=${target.admin.token}` },
      { 'X-Forwarded-User': 'admin', 'X-Remote-User': 'admin' },
    ])
      await everyone(closed(), () => ({ headers }), [401, 'unauthenticated'])
  })

  it('8.2.1 is refused to a user where it is for administrators', () =>
    everyone(
      operations.filter(({ auth }) => auth === 'admin'),
      () => ({ token: target.ada.token }),
      [403, 'forbidden'],
    ))

  it('8.2.1 is refused to a token of an administrator that was not given its scope', async () => {
    const forTokens = closed().filter(({ session, confirmed }) => !session && !confirmed)
    const tokens = new Map<string, string>()
    for (const { scopes: any } of forTokens)
      if (!tokens.has(any.join())) tokens.set(any.join(), await tokenWith(scopes.filter((other) => !any.includes(other))))
    expect([...tokens.keys()]).to.have.members(['read', 'write', 'admin', 'inference,write', 'inference'])
    await everyone(forTokens, ({ scopes: any }) => ({ token: tokens.get(any.join()) }), [403, 'forbidden'])
  })

  it('8.2.1 is refused to a token for the metrics, which are all that it reads', async () => {
    const scraper = await tokenWith(['metrics'])
    const forTokens = closed().filter(({ session, confirmed }) => !session && !confirmed)
    await everyone(forTokens, () => ({ token: scraper }), [403, 'forbidden'])
  })

  it('14.2.1 takes a token in the address on streams alone', async () => {
    // Those of WebSockets are asked without one here; their own tests ask with one.
    const asked = closed().filter(({ id }) => !id.startsWith('stream') && id !== 'connectTerminal')
    await everyone(asked, () => ({}), [401, 'unauthenticated'], `?token=${target.admin.token}`)
  })

  for (const [what, headers] of Object.entries(foreignPages)) {
    it(`3.5.1 changes nothing for ${what}, with the cookie of an administrator`, async () => {
      await everyone(
        // Webhooks of channels read no cookie: it opens nothing there.
        operations.filter(({ method, id }) => method !== 'GET' && !id.startsWith('postChannelWebhook')),
        () => ({ headers: { Cookie: cookie, ...headers } }),
        [403, 'cross_site_request'],
      )
    })
  }

  it('3.5.3 changes nothing by GET, whatever is asked', async () => {
    for (const { method, path } of operations)
      if (method === 'GET') await target.send(fillUnknownIds(path), { token: target.admin.token }, { limitMs: 5_000 })
  })
})
