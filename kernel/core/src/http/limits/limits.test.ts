import { Type } from '@agent-service/sdk'
import { defineRoute, noContent } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { expect } from 'chai'
import { createOriginPolicy } from '../request/origin-policy.js'
import { startTestServer, systemClock, testPrincipal } from '../testing/start-test-server.js'
import { createAuthRateLimiter } from './auth-rate-limiter.js'
import { BoundedMap } from './rate-windows.js'

const createStandingClock = (): Clock & { advance(milliseconds: number): void } => {
  let time = 0
  return {
    ...systemClock,
    monotonic: () => time,
    advance(milliseconds) {
      time += milliseconds
    },
  }
}

const takeMany = (limiter: ReturnType<typeof createAuthRateLimiter>, address: string, times: number) =>
  Array.from({ length: times }, () => limiter.take(address)).filter(({ allowed }) => allowed).length

describe('the limit for account routes', () => {
  it('6.3.1 permits 10 requests at once, then 5 a second', () => {
    const clock = createStandingClock()
    const limiter = createAuthRateLimiter({ clock })
    const accepted = [0, 1000, 1000, 2000].map((wait) => {
      clock.advance(wait)
      return takeMany(limiter, '192.0.2.1', 30)
    })
    expect(accepted).to.deep.equal([10, 5, 5, 10])
    expect(limiter.take('192.0.2.1')).to.deep.equal({ allowed: false, retryAfterSeconds: 1 })
  })

  it('counts an IPv6 household as one address, and others separately', () => {
    const limiter = createAuthRateLimiter({ clock: createStandingClock() })
    expect(takeMany(limiter, '2001:db8:1:2::1', 10) + takeMany(limiter, '2001:db8:1:2:ffff::9', 10)).to.equal(10)
    expect(takeMany(limiter, '2001:db8:1:3::1', 1)).to.equal(1)
  })

  it('removes only the least recently used address when it is full', () => {
    const limiter = createAuthRateLimiter({ clock: createStandingClock(), maxBuckets: 100 })
    for (let index = 0; index < 1000; index++) limiter.take(`10.0.${index >> 8}.${index & 255}`)
    expect(limiter.size()).to.equal(100)
  })

  it('removes an address once its bucket is full again', () => {
    const clock = createStandingClock()
    const limiter = createAuthRateLimiter({ clock })
    for (let index = 0; index < 1000; index++) limiter.take(`10.0.${index >> 8}.${index & 255}`)
    clock.advance(2_000)
    limiter.take('192.0.2.1')
    expect(limiter.size()).to.equal(1)
  })

  it('6.3.1 applies to every path under /api/auth/, found or not, valid or not, except OPTIONS', async () => {
    const server = await startTestServer({ clock: { ...systemClock, monotonic: () => 0 } })
    try {
      for (let index = 0; index < 5; index++) {
        expect((await server.fetch('/api/auth/nothing', { method: 'OPTIONS' })).status).to.equal(404)
        expect((await server.fetch('/api/auth/nothing')).status).to.equal(404)
        expect((await server.fetch('/api/auth/a%00')).status).to.equal(400)
      }
      for (const path of ['/api/auth/nothing', '/%61pi/auth/other', '/api/auth/a%00']) {
        const refused = await server.fetch(path, { method: 'POST', body: 'x' })
        expect([refused.status, refused.headers.get('retry-after')], path).to.deep.equal([429, '1'])
        expect(((await refused.json()) as { code: string }).code).to.equal('rate_limited')
      }
      expect((await server.fetch('/api/nothing')).status).to.equal(404)
    } finally {
      await server.close()
    }
  })
})

describe('the window of expensive routes', () => {
  it('is separate for each principal', async () => {
    const route = defineRoute({
      method: 'POST',
      path: '/api/work',
      operationId: 'work',
      summary: 'Work',
      auth: 'user',
      rateClass: 'expensive',
      answers: { 204: { description: 'Done.' } },
      handle: async () => noContent(),
    })
    const server = await startTestServer({ routes: [route], limits: { maxExpensivePerMinute: 3 } })
    server.authenticator.grant('ada', testPrincipal())
    server.authenticator.grant('bob', testPrincipal({ userId: 'bob' }))
    try {
      const statuses: number[] = []
      for (let index = 0; index < 5; index++) statuses.push((await server.fetch('/api/work', { method: 'POST', token: 'ada' })).status)
      expect(statuses).to.deep.equal([204, 204, 204, 429, 429])
      const refused = await server.fetch('/api/work', { method: 'POST', token: 'ada' })
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60)
      expect(refused.headers.get('content-type')).to.equal('application/problem+json')
      expect((await server.fetch('/api/work', { method: 'POST', token: 'bob' })).status).to.equal(204)
    } finally {
      await server.close()
    }
  })

  it('keeps a bounded number of principals', () => {
    const map = new BoundedMap<{ readonly at: number }>(3, () => false)
    for (let at = 0; at < 10; at++) map.set(String(at), { at })
    expect([map.size, map.has('6'), map.has('7'), map.get('9')]).to.deep.equal([3, false, true, { at: 9 }])
  })

  it('removes expired windows', () => {
    let over = 0
    const map = new BoundedMap<{ readonly at: number }>(100, ({ at }) => at < over)
    for (let at = 0; at < 10; at++) map.set(String(at), { at })
    // Reading a window does not keep it.
    map.get('0')
    over = 8
    map.set('10', { at: 10 })
    expect([map.size, map.has('7'), map.has('8')]).to.deep.equal([3, false, true])
  })
})

describe('origins', () => {
  const settings = { cors_origins: 'https://good.example, https://two.example:8443', base_url: 'https://own.example' }

  it('3.4.2 allows only listed origins, with credentials, and never reflects others', async () => {
    const server = await startTestServer({ settings })
    try {
      const good = await server.fetch('/healthz', { headers: { origin: 'https://good.example' } })
      expect(good.headers.get('access-control-allow-origin')).to.equal('https://good.example')
      expect(good.headers.get('access-control-allow-credentials')).to.equal('true')
      expect(good.headers.get('vary')).to.equal('Origin')
      for (const origin of [
        'https://good.example.evil',
        'https://evil.example',
        'null',
        'http://good.example',
        'https://GOOD.example',
        'https://good.example:444',
        'https://own.example',
      ]) {
        const refused = await server.fetch('/healthz', { headers: { origin } })
        expect(refused.headers.get('access-control-allow-origin'), origin).to.equal(null)
        expect(refused.headers.get('vary')).to.equal('Origin')
      }
      const preflight = await server.fetch('/api/anything', {
        method: 'OPTIONS',
        headers: { origin: 'https://two.example:8443', 'access-control-request-method': 'PUT' },
      })
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).to.deep.equal([
        204,
        'GET, HEAD, POST, PUT, PATCH, DELETE',
      ])
    } finally {
      await server.close()
    }
  })

  it('lets pages of listed origins read every header that clients act on', async () => {
    const server = await startTestServer({ settings })
    const answer = await server.fetch('/healthz', { headers: { origin: 'https://good.example' } })
    await server.close()
    expect(answer.headers.get('access-control-expose-headers')?.split(', ')).to.have.members([
      ...['etag', 'idempotency-replayed', 'location', 'retry-after', 'x-ignored-parameters', 'x-request-id', 'x-should-retry'],
    ])
  })

  it('3.5.1 refuses a change from a foreign page if only the cookie authenticates it', async () => {
    const route = defineRoute({
      method: 'POST',
      path: '/api/change',
      operationId: 'change',
      summary: 'Change',
      auth: 'user',
      query: Type.Object({}),
      answers: { 204: { description: 'Done.' } },
      handle: async () => noContent(),
    })
    const server = await startTestServer({ routes: [route], settings })
    server.authenticator.grant('ada', testPrincipal())
    try {
      const change = async (headers: Record<string, string>, token?: string) =>
        (
          await server.fetch('/api/change', {
            method: 'POST',
            headers: { cookie: 'refresh_token=ada', ...headers },
            ...(token === undefined ? {} : { token }),
          })
        ).status
      expect(await change({ origin: 'https://evil.example' })).to.equal(403)
      expect(await change({ origin: 'null' })).to.equal(403)
      expect(await change({ origin: 'https://evil.example' }, 'ada')).to.equal(204)
      expect(await change({ origin: 'https://own.example' })).to.equal(204)
      expect(await change({ origin: server.origin })).to.equal(204)
    } finally {
      await server.close()
    }
  })

  it('judges requests without an Origin by Sec-Fetch-Site', () => {
    const policy = createOriginPolicy({ corsOrigins: undefined, ownUrls: [] })
    const allows = (headers: Record<string, string>) =>
      policy.allowsCookieChange({ headers } as unknown as Parameters<typeof policy.allowsCookieChange>[0])
    expect(allows({})).to.equal(true)
    expect(allows({ 'sec-fetch-site': 'same-origin' })).to.equal(true)
    expect(allows({ 'sec-fetch-site': 'same-site' })).to.equal(false)
    expect(allows({ 'sec-fetch-site': 'cross-site' })).to.equal(false)
  })
})
