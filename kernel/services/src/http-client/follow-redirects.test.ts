import { expect } from 'chai'
import { ask, failureOf, text } from './testing/ask.js'
import { collectOpened, openTestClient, startTestServer } from './testing/open-test-client.js'

describe('redirects of the guarded HTTP client', () => {
  const opened = collectOpened()
  afterEach(() => opened.close())

  it('keeps credentials within an origin, and removes them and unknown headers for another one', async () => {
    const other = await startTestServer(opened, (_, response) => response.end('there'))
    const server = await startTestServer(opened, ({ url }, response) => {
      const location = url === '/one' ? '/two' : `http://127.0.0.1:${other.port}/three`
      response.writeHead(302, { location }).end('moved')
    })
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-api-key': 'secret', accept: 'text/plain' }
    const answer = await ask(openTestClient(opened), `http://127.0.0.1:${server.port}/one`, { headers })
    expect([text(answer.body), answer.redirects, answer.url]).to.deep.equal(['there', 2, `http://127.0.0.1:${other.port}/three`])
    expect(server.seen.map((seen) => seen.headers.authorization)).to.deep.equal(['Bearer secret', 'Bearer secret'])
    const [last] = other.seen
    expect([last?.headers.authorization, last?.headers.cookie, last?.headers['x-api-key']]).to.deep.equal([undefined, undefined, undefined])
    expect(last?.headers.accept).to.equal('text/plain')
  })

  it('does not send credentials again on the way back to the first origin', async () => {
    const ports: number[] = []
    const other = await startTestServer(opened, (_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${ports[0]}/back` }).end(),
    )
    const server = await startTestServer(opened, ({ url }, response) => {
      if (url === '/back') response.end('back')
      else response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end()
    })
    ports.push(server.port)
    await ask(openTestClient(opened), `http://127.0.0.1:${server.port}/`, { headers: { authorization: 'Bearer secret' } })
    expect(server.seen.map((seen) => seen.headers.authorization)).to.deep.equal(['Bearer secret', undefined])
  })

  const traps = [
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://metadata.example/',
    'http://10.0.0.1/',
    'http://0x0a000001/',
    'http://rebound.example/',
    'http://[64:ff9b::a9fe:a9fe]/',
    '//192.168.0.1/',
    'http://8.8.8.8:22/',
  ]
  for (const location of traps) {
    it(`checks every hop: refuses one to ${location}`, async () => {
      const names = { 'metadata.example': ['169.254.169.254'], 'rebound.example': ['10.0.0.1'] }
      const server = await startTestServer(opened, (_, response) => response.writeHead(307, { location }).end())
      const error = await failureOf(ask(openTestClient(opened, { names }), `http://127.0.0.1:${server.port}/`))
      expect(error.code).to.equal('http_address_refused')
    })
  }

  it('refuses hops with an invalid URL, with credentials or to another scheme', async () => {
    for (const location of ['http://user:word@127.0.0.1/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'http://:99999/', 'javascript:1']) {
      const server = await startTestServer(opened, (_, response) => response.writeHead(301, { location }).end())
      const error = await failureOf(ask(openTestClient(opened), `http://127.0.0.1:${server.port}/`))
      expect(error.code, location).to.be.oneOf(['http_redirect_refused', 'http_address_refused'])
      expect(error.message).to.not.contain('word')
    }
  })

  it('ends a loop, refuses redirects, or returns the redirect itself, as requested', async () => {
    const server = await startTestServer(opened, (_, response) => response.writeHead(302, { location: '/again' }).end('moved'))
    const client = openTestClient(opened)
    const url = `http://127.0.0.1:${server.port}/`
    expect((await failureOf(ask(client, url, { maxRedirects: 3 }))).message).to.contain('more than 3')
    expect(server.seen).to.have.length(4)
    expect((await failureOf(ask(client, url, { redirect: 'refuse' }))).code).to.equal('http_redirect_refused')
    const answer = await ask(client, url, { redirect: 'return' })
    expect([answer.status, answer.headers['location'], text(answer.body)]).to.deep.equal([302, '/again', 'moved'])
  })

  it('turns a POST into a GET as browsers do, keeps it with 307, and sends no body to another origin', async () => {
    const other = await startTestServer(opened, (_, response) => response.end())
    const server = await startTestServer(opened, ({ url }, response) => {
      const status = Number(url?.slice(1))
      if (Number.isNaN(status)) response.end('end')
      else response.writeHead(status, { location: status === 308 ? `http://127.0.0.1:${other.port}/` : '/end' }).end()
    })
    const client = openTestClient(opened)
    const send = (status: number) =>
      ask(client, `http://127.0.0.1:${server.port}/${status}`, {
        method: 'POST',
        body: 'x=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    for (const status of [301, 302, 303]) await send(status)
    await send(307)
    const ends = server.seen
      .filter(({ path }) => path === '/end')
      .map(({ method, body, headers }) => [method, body, headers['content-type']])
    const form = 'application/x-www-form-urlencoded'
    expect(ends).to.deep.equal([...Array.from({ length: 3 }, () => ['GET', '', undefined]), ['POST', 'x=1', form]])
    expect((await failureOf(send(308))).message).to.contain('another origin')
    expect(other.connections).to.equal(0)
  })
})
