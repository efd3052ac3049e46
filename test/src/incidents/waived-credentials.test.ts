import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hmacOf } from '@agent-service/sdk/channels'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { expectProblem } from '../bad-input/support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from '../bad-input/support/hostile-target.js'
import { fillUnknownIds, type Operation, readOperations } from '../bad-input/support/operations.js'
import { type RawAnswer, type RawRequest, requestBytes, sendBytes } from '../bad-input/support/raw-http.js'

type Headers = Readonly<Record<string, string>>

/** What callers and proxies say by which a request could pass for one of this machine. */
const claimsOf = (address: string): Readonly<Record<string, Headers>> => ({
  nothing: {},
  'x-forwarded-for': { 'X-Forwarded-For': address },
  'x-forwarded-for of IPv6': { 'X-Forwarded-For': '::1' },
  'x-forwarded-for, mapped': { 'X-Forwarded-For': `203.0.113.9, ::ffff:${address}` },
  forwarded: { Forwarded: `for=${address};host=localhost;proto=https` },
  'x-real-ip': { 'X-Real-IP': address },
  'headers of content delivery networks': { 'True-Client-IP': address, 'CF-Connecting-IP': address, 'X-Client-IP': address },
  'x-forwarded-host': {
    'X-Forwarded-Host': 'localhost',
    'X-Forwarded-Proto': 'http',
    'X-Forwarded-User': 'admin',
    'X-Remote-User': 'admin',
  },
  'a rewritten path': { 'X-Original-URL': '/healthz', 'X-Rewrite-URL': '/healthz' },
})
const claims = claimsOf('127.0.0.1')

/** What answers without a credential, each for a reason: a route that joins them has to be looked at. */
const open: readonly string[] = [
  // How one signs in, and what verifies the keys of those who are.
  ...['getAuthConfiguration', 'getKeySet', 'login', 'logout', 'refresh', 'register'],
  // A secret in the body, which a person has from an invitation.
  'findInvitation',
  // Secrets in the address, or a signature that the channel checks.
  ...['getChannelWebhook', 'postChannelWebhook', 'getChannelWebhookPart', 'postChannelWebhookPart'],
  ...['showUnsubscribe', 'unsubscribe', 'getSharedPage', 'getSharedContent'],
  // Say whether it runs, and what it can do.
  ...['getApiDescription', 'getVersion', 'getLiveness', 'getReadiness'],
  // Asks for a credential by itself: see the test of the metrics.
  'getMetrics',
]

const secret = 'the secret of a program that is long enough'
const connections = '/api/admin/channels/connections'

describe('a request that seems to come from this machine', function () {
  this.timeout(60_000)
  let target: HostileTarget
  let operations: readonly Operation[]
  let receiver: Server
  /** The path of a webhook, and how many messages came by it. */
  let hook: string

  before(async () => {
    // As behind a proxy on the same machine, whose word counts.
    target = await startHostileTarget({ environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1,127.5.0.0/16' } })
    operations = await readOperations(target.url)
    receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    hook = await makeWebhook()
  })
  after(async () => {
    await target?.close()
    receiver?.close()
    receiver?.closeAllConnections()
  })

  async function makeWebhook(): Promise<string> {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const form = { channel: 'webhook', title: 'Desk', members: { url, secret } }
    const { status, body } = await target.admin.request('POST', connections, form)
    expect(status, JSON.stringify(body)).to.equal(201)
    const path = `${connections}/${String(body['id'])}`
    await eventually(async () => (await target.admin.request('GET', path)).body['state'] === 'connected', { what: () => 'not connected' })
    return new URL(String(body['webhook_url'])).pathname
  }

  const send = (path: string, request: RawRequest, from?: string): Promise<RawAnswer> =>
    sendBytes(target.url, requestBytes(path, request), from === undefined ? {} : { from })

  it('needs a sign-in for every route but those that are known to need none', async () => {
    expect(operations.filter(({ auth }) => auth === 'public').map(({ id }) => id)).to.have.members(open)
    const closed = operations.filter(({ auth }) => auth !== 'public')
    expect(closed.length).to.be.greaterThan(200)
    const before = await target.state()
    for (const [index, { id, method, path, hasBody }] of closed.entries()) {
      // Each of an address of its own: those of accounts answer few requests of one.
      const address = (network: number): string => `127.${network}.${index >> 8}.${index & 255 || 1}`
      const all = Object.values(claimsOf(address(7)))
      for (const headers of [all[index % all.length] ?? {}, Object.assign({}, ...all) as Headers]) {
        const answer = await send(fillUnknownIds(path), { method, headers, ...(hasBody && { body: '{}' }) }, address(5))
        const { status, code } = expectProblem(answer, `${id} with ${JSON.stringify(headers)}`)
        expect([status, code], id).to.deep.equal([401, 'unauthenticated'])
      }
    }
    expect(await target.state()).to.deep.equal(before)
  })

  it('needs an administrator for the metrics, and learns from the checks of health only whether it runs', async () => {
    for (const [name, headers] of Object.entries(claims)) {
      expectProblem(await send('/metrics', { headers }), name)
      expect((await send('/metrics', { headers })).status, name).to.equal(401)
      expect((await send('/metrics', { headers, token: target.ada.token })).status, name).to.equal(403)
      expect(JSON.parse((await send('/healthz', { headers })).body), name).to.deep.equal({ status: 'ok' })
      expect(JSON.parse((await send('/readyz', { headers })).body), name).to.deep.equal({ status: 'ready' })
    }
  })

  it('needs the secret of a webhook', async () => {
    const body = JSON.stringify({ id: '1', conversation: { id: 'desk' }, sender: { id: 'eve' }, text: 'Let me in.' })
    const time = String(Math.floor(Date.now() / 1_000))
    const signedBy = (key: string): Headers => ({ 'X-Signature': `t=${time},v1=${hmacOf({ secret: key, parts: [`${time}.`, body] })}` })
    for (const [name, headers] of Object.entries(claims)) {
      expect((await send(hook, { method: 'POST', headers, body })).status, `${name}, unsigned`).to.equal(401)
      const forged = { ...headers, ...signedBy('another secret that is long enough to be one') }
      expect((await send(hook, { method: 'POST', headers: forged, body })).status, `${name}, forged`).to.equal(401)
      const wrong = `${hook.slice(0, hook.lastIndexOf('/'))}/another-key`
      expect((await send(wrong, { method: 'POST', headers: { ...headers, ...signedBy(secret) }, body })).status, name).to.equal(404)
    }
    const good = await send(hook, { method: 'POST', headers: signedBy(secret), body })
    expect([good.status, JSON.parse(good.body)]).to.deep.equal([200, { received: '1' }])
  })
})
