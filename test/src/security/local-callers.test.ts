import { createServer, type Server, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { setUpCodeOf } from '../support/set-up-code.js'

type Headers = Readonly<Record<string, string>>

/**
 * A reverse proxy on this machine, as it comes out of the box: it adds nothing, and its `Host` is
 * the address that it was told.
 */
async function startProxy(target: string, added: Headers): Promise<{ readonly url: string; close(): void }> {
  const { hostname, port } = new URL(target)
  const server: Server = createServer((request, response) => {
    const onward = send(
      { hostname, port, method: request.method, path: request.url, headers: { ...request.headers, host: `localhost:${port}`, ...added } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const asProxiesSay: Headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }

describe('a caller on the machine of the service', () => {
  let kernel: TestKernel | undefined
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
  })

  /**
   * What a caller may without an account: directly, and through a proxy that adds these headers.
   */
  const asked = async (environment: Headers, added?: Headers): Promise<{ readonly metrics: number; readonly first: string }> => {
    kernel = await createTestKernel({ environment })
    const proxy = added && (await startProxy(kernel.url, added))
    const url = proxy?.url ?? kernel.url.replace('127.0.0.1', 'localhost')
    try {
      const metrics = await fetch(`${url}/metrics`)
      await metrics.arrayBuffer()
      const liveness = await fetch(`${url}/healthz`)
      expect(await liveness.json()).to.deep.equal({ status: 'ok' })
      const register = (more: object) =>
        fetch(`${url}/api/auth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'ada', password: 'a long enough password', ...more }),
        })
      const first = await register({})
      const { code } = (await first.json()) as { readonly code?: string }
      if (!first.ok) expect((await register({ setup_code: setUpCodeOf(kernel) })).status, 'with the code').to.equal(201)
      return { metrics: metrics.status, first: code ?? String(first.status) }
    } finally {
      proxy?.close()
    }
  }

  const local = { metrics: 200, first: '201' }
  const any = { metrics: 401, first: 'setup_code_required' }
  const table: readonly (readonly [string, Headers, Headers | undefined, typeof local])[] = [
    ['directly, with nothing configured', {}, undefined, local],
    ['directly, with an address on this machine', { SERVICE_SERVER_BASE_URL: 'http://localhost:9' }, undefined, local],
    ['through a proxy that says so, with nothing configured', {}, asProxiesSay, any],
    ['through a proxy that says so, which is trusted', { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' }, asProxiesSay, any],
    ['through a proxy that adds nothing, which is trusted', { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' }, {}, any],
    ['through a proxy that adds nothing, with a public address', { SERVICE_SERVER_BASE_URL: 'https://agents.example' }, {}, any],
    ['through a tunnel for webhooks that adds nothing', { SERVICE_SERVER_EXTERNAL_URL: 'https://hooks.example' }, {}, any],
    ['directly, with a public address', { SERVICE_SERVER_BACKEND_URL: 'https://api.example' }, undefined, any],
  ]
  for (const [title, environment, added, wanted] of table) {
    const may = wanted === local ? 'may be the first, and sees the metrics' : 'may no more than anybody'
    it(`${may}: ${title}`, async () => {
      expect(await asked(environment, added)).to.deep.equal(wanted)
    })
  }

  /** Sends the registration of the first account as it stands here. Answers its status. */
  const registerBy = async (line: string, headers: Headers): Promise<number> => {
    kernel = await createTestKernel()
    const { hostname, port } = new URL(kernel.url)
    const body = JSON.stringify({ username: 'ada', password: 'a long enough password' })
    const fields = { host: `127.0.0.1:${port}`, 'content-type': 'application/json', 'content-length': String(body.length), ...headers }
    const head = Object.entries({ ...fields, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write([`POST /api/auth/register ${line}`, ...head, '', body].join('\r\n'))
    return Number((await text(socket)).split(' ')[1])
  }

  it('is no page of another site, which a browser on the machine has open or a proxy with a Host of its own passes on', async () => {
    for (const origin of ['https://agents.example', 'http://localhost.evil.example:3001', 'null']) {
      expect(await registerBy('HTTP/1.1', { origin }), origin).to.equal(403)
      await kernel?.stop()
    }
    expect(await registerBy('HTTP/1.1', { origin: 'http://localhost:3000' })).to.equal(201)
  })

  it('is no proxy that speaks HTTP/1.0, as some do unless they are told otherwise, with nothing configured', async () => {
    expect(await registerBy('HTTP/1.0', {})).to.equal(403)
    await kernel?.stop()
    expect(await registerBy('HTTP/1.1', {})).to.equal(201)
  })

  it('sees the metrics from elsewhere with an administrator’s token that has the scope for them alone', async () => {
    kernel = await createTestKernel()
    const [ada, bob] = [await signUp(kernel.url, 'ada'), await signUp(kernel.url, 'bob')]
    const proxy = await startProxy(kernel.url, asProxiesSay)
    const statusFor = async (scopes: readonly string[]): Promise<number> => {
      const { body } = await ada.request('POST', '/api/auth/tokens', { name: 'scraper', scopes })
      const answer = await fetch(`${proxy.url}/metrics`, { headers: { authorization: `Bearer ${String(body['token'])}` } })
      await answer.arrayBuffer()
      return answer.status
    }
    try {
      expect([await statusFor(['metrics']), await statusFor(['admin'])]).to.deep.equal([200, 200])
      expect(await statusFor(['read', 'write', 'inference'])).to.equal(403)
      const { status, body } = await bob.request('POST', '/api/auth/tokens', { name: 'scraper', scopes: ['metrics'] })
      expect([status, body['code']]).to.deep.equal([422, 'invalid_request'])
    } finally {
      proxy.close()
    }
  })
})
