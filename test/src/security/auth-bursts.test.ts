import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { sendBytes } from '../bad-input/support/raw-http.js'
import { createClient } from './support/clients.js'

describe('bursts at the account routes, from outside', function () {
  this.timeout(30_000)
  const clock = createControlledClock()
  let kernel: TestKernel

  before(async () => {
    kernel = await createTestKernel({ clock, environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } })
  })
  after(() => kernel?.stop())

  const statusOf = async (headers: Readonly<Record<string, string>>, path = '/api/auth/config', method = 'GET'): Promise<number> =>
    (await createClient(kernel.url).send(method, path, { headers })).status
  /** Sends all at once; gives how many were not refused with 429. */
  const acceptedOf = async (requests: readonly (() => Promise<number>)[]): Promise<number> =>
    (await Promise.all(requests.map((request) => request()))).filter((status) => status !== 429).length
  const burst = (forwardedFor: (index: number) => string, times = 30): Promise<number> =>
    acceptedOf(Array.from({ length: times }, (_, index) => () => statusOf({ 'x-forwarded-for': forwardedFor(index) })))

  it('6.3.1 accepts 10, 5, 5 and 10 of 30 requests at 0, 1, 2 and 4 seconds', async () => {
    const accepted: number[] = []
    for (const wait of [0, 1_000, 1_000, 2_000]) {
      await clock.advance(wait)
      accepted.push(await burst(() => '203.0.113.1'))
    }
    expect(accepted).to.deep.equal([10, 5, 5, 10])
  })

  it('6.3.1 says when to come back, and lets in who comes then', async () => {
    const address = { 'x-forwarded-for': '203.0.113.2' }
    await burst(() => '203.0.113.2')
    const refused = await createClient(kernel.url).send('GET', '/api/auth/config', { headers: address })
    expect([refused.status, refused.json['code'], refused.headers.get('retry-after')]).to.deep.equal([429, 'rate_limited', '1'])
    await clock.advance(1_000)
    expect(await statusOf(address)).to.equal(200)
  })

  it('6.3.1 counts what stands in front of the last address that is trusted, and nothing that a client adds', async () => {
    expect(await burst((index) => `192.0.2.${index}, 203.0.113.3`)).to.equal(10)
    expect(await burst((index) => `192.0.2.${index}, 203.0.113.4, 10.1.2.3`)).to.equal(10)
    expect(await burst((index) => `nonsense-${index}, 203.0.113.5`)).to.equal(10)
    expect(await burst((index) => `192.0.2.${index}, , 203.0.113.6`)).to.equal(10)
  })

  it('6.3.1 does not listen to other headers that tell of addresses', async () => {
    const names = ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'client-ip', 'x-originating-ip']
    const requests = Array.from({ length: 30 }, (_, index) => () => {
      const told = Object.fromEntries(names.map((name) => [name, name === 'forwarded' ? `for=192.0.2.${index}` : `192.0.2.${index}`]))
      return statusOf({ ...told, 'x-forwarded-for': '203.0.113.7' })
    })
    expect(await acceptedOf(requests)).to.equal(10)
  })

  it('6.3.1 does not believe a peer that is no trusted proxy', async () => {
    const requests = Array.from({ length: 30 }, (_, index) => async () => {
      const head = `GET /api/auth/config HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.${index}\r\n\r\n`
      return (await sendBytes(kernel.url, head, { from: '127.5.0.1' })).status
    })
    expect(await acceptedOf(requests)).to.equal(10)
  })

  it('6.3.1 counts an IPv6 household as one, however its addresses are written, and IPv4 in either form', async () => {
    const spellings = [
      '2001:db8:5:6::1',
      '2001:DB8:5:6:0:0:0:2',
      '2001:0db8:0005:0006:ffff:ffff:ffff:ffff',
      '[2001:db8:5:6::3]:443',
      '2001:db8:5:6::4%eth0',
    ]
    expect(await burst((index) => spellings[index % spellings.length] ?? '')).to.equal(10)
    expect(await burst(() => '2001:db8:5:7::1', 1)).to.equal(1)
    const plain = ['203.0.113.8', '::ffff:203.0.113.8', '::FFFF:cb00:7108', '203.0.113.8:4711']
    expect(await burst((index) => plain[index % plain.length] ?? '')).to.equal(10)
  })

  it('6.3.1 counts every path and method below /api/auth/, found or not, and OPTIONS not at all', async () => {
    const address = { 'x-forwarded-for': '203.0.113.9' }
    const asked = [
      ['OPTIONS', '/api/auth/login'],
      ['OPTIONS', '/api/auth/nothing'],
      ['GET', '/api/auth/nothing'],
      ['GET', '/api/auth/'],
      ['HEAD', '/api/auth/config'],
      ['DELETE', '/api/auth/login'],
      ['GET', '/%61pi/%61uth/config'],
      ['GET', '/api/auth/sso/nothing/at/all'],
      ['PROPFIND', '/api/auth/config'],
    ] as const
    for (const [method, path] of asked) {
      await clock.advance(60_000)
      const free = method === 'OPTIONS'
      const requests = Array.from({ length: 15 }, () => () => statusOf(address, path, method))
      expect([method, path, await acceptedOf(requests)]).to.deep.equal([method, path, free ? 15 : 10])
    }
  })

  it('6.3.1 refuses before it reads a body', async () => {
    await burst(() => '203.0.113.10')
    const head = [
      'POST /api/auth/login HTTP/1.1',
      'Host: localhost',
      'X-Forwarded-For: 203.0.113.10',
      'Content-Type: application/json',
      'Content-Length: 100000',
      'Expect: 100-continue',
    ]
    const answer = await sendBytes(kernel.url, `${head.join('\r\n')}\r\n\r\n`, { endWrites: true })
    expect(answer.text).to.not.match(/100 Continue/i)
    expect(answer.status).to.equal(429)
  })

  it('6.3.1 leaves the rest of the service alone', async () => {
    await burst(() => '203.0.113.11')
    expect(
      await acceptedOf(Array.from({ length: 30 }, () => () => statusOf({ 'x-forwarded-for': '203.0.113.11' }, '/api/version'))),
    ).to.equal(30)
  })
})
