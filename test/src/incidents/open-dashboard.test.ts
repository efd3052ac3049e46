import { networkInterfaces } from 'node:os'
import { expect } from 'chai'
import { readOperations } from '../bad-input/support/operations.js'
import { type RawRequest, requestBytes, sendBytes } from '../bad-input/support/raw-http.js'
import { refusalOn, type SignOnService, startSignOnService } from '../sso/support/sign-on.js'
import { clientWith } from '../support/api.js'
import { readDescription } from '../support/api-description.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import { bodyOperations } from './support/described-bodies.js'

const account = { username: 'eve', password: 'a long enough password' }

/** What callers say of themselves to count as one on this machine. */
const claims: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
  { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` },
  { 'x-forwarded-user': 'admin', 'remote-user': 'admin', 'x-auth-request-email': 'admin@localhost', 'cf-connecting-ip': '127.0.0.1' },
]

/** Hermes #78422: who found a dashboard that no one had set up yet became its administrator. */
describe('a service at a public address that has no account yet', function () {
  this.timeout(60_000)
  let service: SignOnService
  let code: string
  let callers = 0

  before(async () => {
    service = await startSignOnService({ SERVICE_SERVER_HOST: '0.0.0.0', SERVICE_SERVER_TRUSTED_PROXIES: '' })
    service.peer.serve(`${service.url}/api/auth/sso/callback`)
    for (const name of ['eve', 'root', 'bob']) service.peer.people.set(name, { email: `${name}@example.org`, email_verified: true })
    code = setUpCodeOf(service.kernel)
  })
  after(() => service?.stop())

  /** As the name of the service is sent, from an address of its own: attempts from one address would have to wait. */
  const send = (target: string, request: RawRequest) => {
    callers += 1
    const bytes = requestBytes(target, request).toString().replace('Host: localhost', 'Host: agents.example')
    return sendBytes(service.kernel.url, bytes, { from: `127.9.${callers >> 8}.${callers & 255 || 1}` })
  }
  const register = async (more: object, headers: Readonly<Record<string, string>> = {}, query = '') => {
    const request = { method: 'POST', headers, body: JSON.stringify({ ...account, ...more }) }
    const { status, body } = await send(`/api/auth/register${query}`, request)
    return { status, body: JSON.parse(body) as Record<string, unknown> }
  }

  it('lets no one in by any operation, whatever a caller claims to be', async () => {
    const bodies = new Map(
      bodyOperations(await readDescription(service.url), { ids: {}, bodies: { register: account } }).map((each) => [each.id, each.body]),
    )
    const operations = await readOperations(service.url)
    const open = new Set<string>()
    for (const headers of claims)
      await Promise.all(
        operations.map(async ({ id, method, path, webSocket }) => {
          if (webSocket) return
          const body = bodies.get(id)
          const target = path.replaceAll(/\{[^}]+\}/g, 'admin')
          const answer = await send(target, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
          if (answer.status < 400) open.add(`${answer.status} ${id}`)
          // The description has an example of a token.
          if (id !== 'getApiDescription') expect(answer.text, id).to.not.match(/"access_token":\s?"ey|set-cookie: refresh_token=[^;]/i)
          expect(answer.text, id).to.not.include(code)
        }),
      )
    expect([...open]).to.have.members([
      ...['200 getKeySet', '200 getAuthConfiguration', '204 logout', '303 beginSingleSignOn', '200 getApiDescription'],
      ...['200 getVersion', '200 getLiveness', '200 getReadiness'],
    ])
    expect(await service.kernel.auth.pendingSetupCode()).to.equal(code)
  })

  it('makes no administrator without the code: by registration, with wrong codes, or by single sign-on', async () => {
    const wrong = [code.slice(0, -1), `${code}x`, code.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')), '', 'admin', '0'.repeat(23)]
    for (const headers of claims) {
      const { status, body } = await register({}, headers)
      expect([status, body['code']]).to.deep.equal([403, 'setup_code_required'])
    }
    for (const setup_code of wrong) expect((await register({ setup_code })).status, setup_code).to.be.oneOf([403, 422])
    // From another machine, to which it pretends to be that of the service.
    const body = JSON.stringify(account)
    const here = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.filter(({ family, internal }) => family === 'IPv4' && !internal),
    )
    for (const { address } of here) {
      const bytes = requestBytes('/api/auth/register', { method: 'POST', body })
      expect((await sendBytes(service.kernel.url.replace('0.0.0.0', address), bytes)).status, address).to.equal(403)
    }
    expect((await register({}, { 'x-setup-code': code })).status).to.equal(403)
    expect((await register({}, {}, `?setup_code=${code}`)).status).to.equal(422)
    for (const query of [{}, { setup_code: 'guessed' }])
      expect(refusalOn(await service.signIn(service.browser(), 'eve', query as Record<string, string>))).to.equal('403 setup_code_required')
    expect(await service.kernel.auth.pendingSetupCode()).to.equal(code)
  })

  it('makes one with the code, also of many that come at once, and no second one with the same code', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, (_, index) => register({ username: `eve${index}`, setup_code: code })))
    const roles = all.filter(({ status }) => status === 201).map(({ body }) => (body['user'] as { readonly role: string }).role)
    expect(roles.filter((role) => role === 'admin')).to.have.length(1)
    const first = all.find(({ body }) => (body['user'] as { readonly role?: string } | undefined)?.role === 'admin')
    const admin = clientWith(service.url, { token: String(first?.body['access_token']), userId: '' })
    const users = (await admin.request('GET', '/api/admin/users')).body['items'] as readonly { readonly role: string }[]
    expect(users.filter(({ role }) => role === 'admin')).to.have.length(1)

    const later = await register({ username: 'mallory', setup_code: code })
    expect([later.status, (later.body['user'] as { readonly role: string }).role]).to.deep.equal([201, 'user'])
    const bob = service.browser()
    await service.signIn(bob, 'bob', { setup_code: code })
    expect((await service.profile(bob)).user).to.include({ role: 'user' })
  })
})
