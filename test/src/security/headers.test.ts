import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { sendBytes } from '../bad-input/support/raw-http.js'
import { signUp } from '../support/api.js'
import { setUpCodeOf } from '../support/set-up-code.js'

/** Requests of which each is answered by another part of the service. */
const requests: Readonly<Record<string, string>> = {
  'an answer': 'GET /api/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'the page': 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'nothing at a path of the API': 'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'nothing at another path': 'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'no credential': 'GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'a method that is not there': 'TRACE /api/auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'a path that cannot be read': 'GET /api/a%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'what the path has': 'OPTIONS /api/auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'no host': 'GET /api/version HTTP/1.1\r\nConnection: close\r\n\r\n',
  'what is no HTTP': 'nonsense\r\n\r\n',
  'a header that is too large': `GET / HTTP/1.1\r\nHost: localhost\r\nX-Pad: ${'x'.repeat(20_000)}\r\n\r\n`,
  'two lengths': 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
}

describe('the headers of every answer', () => {
  let kernel: TestKernel
  let token: string

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_BACKEND_URL: 'https://api.agents.example.org' } })
    token = (await signUp(kernel.url, 'ada', 'a long enough password', setUpCodeOf(kernel))).token
  })
  after(() => kernel?.stop())

  const expectHeaders = (headers: Readonly<Record<string, string>>, what: string): void => {
    const policy = headers['content-security-policy'] ?? ''
    // The console's own policy allows nothing by default.
    expect(policy, what).to.match(/^default-src '(self|none)';/)
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy.split('; '), what).to.include(directive)
    expect(policy, what).to.not.match(/script-src[^;]*unsafe|\*(;|$)/)
    expect(headers, what).to.include({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['strict-transport-security'], what).to.match(/^max-age=(\d+); includeSubDomains$/)
    expect(headers['server'] ?? headers['x-powered-by'], what).to.equal(undefined)
  }

  for (const [what, bytes] of Object.entries(requests)) {
    it(`3.4.1 3.4.3 3.4.4 3.4.5 3.4.6 are there with ${what}`, async () => {
      const answer = await sendBytes(kernel.url, bytes)
      expect(answer.status).to.be.within(200, 499)
      expectHeaders(answer.headers, answer.text)
    })
  }

  it('3.4.3 3.4.4 are there with a stream of events', async () => {
    const head = `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const answer = await sendBytes(kernel.url, head)
    expect(answer.headers['content-type']).to.match(/^text\/event-stream/)
    expectHeaders(answer.headers, answer.text)
  })

  it('14.3.2 keep what belongs to a person out of every cache', async () => {
    for (const path of ['/api/auth/me', '/api/auth/tokens', '/api/admin/users', '/api/admin/audit', '/api/nothing', '/api/events']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`
      expect((await sendBytes(kernel.url, head)).headers['cache-control'], path).to.match(/^no-store(, no-transform)?$/)
    }
  })
})
