import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createConnectionShares } from './connection-shares.js'
import type { Permitted } from './destinations.js'
import { createEgressProxy, type EgressOptions, maxProxyConnections } from './egress-proxy.js'

const execute = promisify(execFile)
/** One address each time it is asked, as a server of the attacker's answers. */
const rebinding = ['127.0.0.1', '127.0.0.2']
const resolve = async (host: string): Promise<readonly string[]> => {
  if (host === 'web.example') return ['127.0.0.1']
  return host === 'rebinding.example' ? rebinding.splice(0, 1) : []
}

describe('the egress proxy', () => {
  const seen: IncomingMessage[] = []
  const web = createServer((request, response) => {
    seen.push(request)
    response.end(`hello ${request.url}`)
  })
  const proxies: { close(): void }[] = []
  let webPort = 0

  before(async () => {
    web.listen(0, '127.0.0.1')
    await once(web, 'listening')
    webPort = (web.address() as AddressInfo).port
  })
  after(() => {
    for (const each of proxies) each.close()
    web.close()
    web.closeAllConnections()
  })

  async function open(network: Permitted, judgement: EgressOptions = { isPublic: () => true }) {
    const refusals: string[] = []
    const proxy = createEgressProxy(network, {
      resolve,
      ...judgement,
      refused: (host, port, reason) => refusals.push(`${host}:${port} ${reason}`),
    })
    const server = createTcpServer((socket) => proxy.take(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    proxies.push(server, proxy)
    const { port } = server.address() as AddressInfo
    const curl = async (...given: readonly string[]): Promise<string> =>
      (await execute('curl', ['--silent', '--show-error', '--max-time', '10', ...given], { env: { PATH: '/usr/bin:/bin' } })).stdout
    return { port, curl, refusals }
  }
  const all = { access: 'on', destinations: [] } as const

  /** Sends bytes, and returns everything that comes until the end. */
  async function exchange(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.on('error', () => undefined)
    let answer = ''
    socket.on('data', (text: string) => {
      answer += text
    })
    for (const part of parts) socket.write(part)
    socket.setTimeout(2_000, () => socket.end())
    await new Promise((resolve) => socket.once('close', resolve))
    return answer
  }

  for (const [what, given] of [
    ['a plain request', (port: number) => ['--proxy', `http://127.0.0.1:${port}`]],
    ['CONNECT', (port: number) => ['--proxytunnel', '--proxy', `http://127.0.0.1:${port}`]],
    ['SOCKS 5 with names', (port: number) => ['--proxy', `socks5h://127.0.0.1:${port}`]],
  ] as const)
    it(`leads to an allowed destination by ${what}`, async () => {
      const { port, curl } = await open(all)
      expect(await curl(...given(port), `http://web.example:${webPort}/path?x=1`)).to.equal('hello /path?x=1')
      expect(seen.at(-1)?.headers.host).to.equal(`web.example:${webPort}`)
    })

  it('refuses the others, by each protocol, and reports them', async () => {
    const { port, curl, refusals } = await open({ access: 'some', destinations: [{ host: 'web.example', port: 1 }] })
    const before = seen.length
    expect(await curl('--proxy', `http://127.0.0.1:${port}`, `http://web.example:${webPort}/`)).to.match(
      /does not connect there: not allowed/,
    )
    for (const proxy of [`socks5h://127.0.0.1:${port}`, `http://127.0.0.1:${port}`]) {
      const error = await curl('--proxytunnel', '--proxy', proxy, `http://web.example:${webPort}/`).catch((caught: unknown) => caught)
      expect(error).to.be.an('error')
    }
    expect(seen.length).to.equal(before)
    expect(new Set(refusals)).to.deep.equal(new Set([`web.example:${webPort} not allowed`]))
  })

  it('asks the host for each connection, and reports what it refuses', async () => {
    const asked: string[] = []
    const { port, curl, refusals } = await open({
      access: 'some',
      destinations: [],
      allows: async (destination) => {
        asked.push(JSON.stringify(destination))
        return asked.length <= 2
      },
    })
    const ask = () => curl('--proxy', `http://127.0.0.1:${port}`, `http://web.example:${webPort}/asked`)
    expect(await ask()).to.equal('hello /asked')
    expect(await ask()).to.match(/not allowed/)
    const destination = { host: 'web.example', port: webPort }
    expect(asked).to.deep.equal([destination, { ...destination, address: '127.0.0.1' }, destination].map((each) => JSON.stringify(each)))
    expect(refusals).to.deep.equal([`web.example:${webPort} not allowed`])
  })

  it('connects to the address that was checked, whatever the name leads to next', async () => {
    const checked: string[] = []
    const { port, curl } = await open(all, {
      isPublic: (address) => {
        checked.push(address)
        return address === '127.0.0.1'
      },
    })
    const ask = () => curl('--proxy', `socks5h://127.0.0.1:${port}`, `http://rebinding.example:${webPort}/pinned`).catch(() => 'refused')
    expect(await ask()).to.equal('hello /pinned')
    expect(await ask()).to.equal('refused')
    expect(checked).to.deep.equal(['127.0.0.1', '127.0.0.2'])
  })

  it('never leads to the loopback, the local network or a metadata service, by any protocol and spelling', async () => {
    const { port, refusals } = await open(all, {})
    const before = seen.length
    const hosts = [
      '127.0.0.1',
      '0.0.0.0',
      '[::]',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '0177.1',
      'localhost',
      'localhost.',
      '[::ffff:127.0.0.1]',
    ]
    for (const host of [...hosts, '[64:ff9b::7f00:1]', '169.254.169.254', '10.0.0.1'])
      for (const text of [
        `CONNECT ${host}:${webPort} HTTP/1.1\r\nHost: public.example\r\n\r\n`,
        `CONNECT public.example@${host}:${webPort} HTTP/1.1\r\nHost: public.example\r\n\r\n`,
        `GET http://${host}:${webPort}/ HTTP/1.1\r\nHost: public.example\r\nConnection: close\r\n\r\n`,
      ])
        expect(await exchange(port, text), text).to.match(/^HTTP\/1\.1 403 /)
    const name = Buffer.from('localhost')
    const address = [5, 1, 0, 5, 1, 0]
    for (const target of [
      Buffer.from([...address, 1, 127, 0, 0, 1]),
      Buffer.from([...address, 4, ...Array.from({ length: 15 }, () => 0), 1]),
      Buffer.from([...address, 3, name.length, ...name]),
      Buffer.from([...address, 3, name.length + 1, ...name, 0]),
    ])
      expect(Buffer.from(await exchange(port, target, Buffer.from([webPort >> 8, webPort & 255])), 'latin1')[3]).to.equal(2)
    expect(refusals).to.have.length(13 * 3 + 4)
    expect(seen.length).to.equal(before)
  })

  it('does not read what is pipelined behind a refused CONNECT, and judges each pipelined request', async () => {
    const { port } = await open({ access: 'some', destinations: [{ host: 'web.example' }] })
    const before = seen.length
    const smuggled = `GET http://web.example:${webPort}/smuggled HTTP/1.1\r\nHost: x\r\n\r\n`
    expect(await exchange(port, `CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`)).to.match(
      /^HTTP\/1\.1 403 [\s\S]*not allowed\.\n$/,
    )
    expect(seen.length).to.equal(before)
    const other = 'GET http://other.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const answers = await exchange(port, smuggled, other)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 403'])
  })

  it('names the host that was judged, and passes on no header of the connection', async () => {
    const { port } = await open(all)
    const lines = [
      'Host: inner.example',
      'Connection: X-Hop, close',
      'X-Hop: 1',
      'Proxy-Authorization: Basic eDp5',
      'X-End: 2',
      'TE: trailers',
    ]
    expect(await exchange(port, `GET http://web.example:${webPort}/host HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)).to.match(
      /hello \/host/,
    )
    expect(seen.at(-1)?.headers).to.deep.equal({ host: `web.example:${webPort}`, 'x-end': '2', connection: 'close' })
    const body = 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n'
    const before = seen.length
    await exchange(port, `POST http://web.example:${webPort}/ HTTP/1.1\r\nHost: x\r\n${body}`)
    expect(seen.length, 'a request of two lengths was passed on').to.equal(before)
  })

  it('holds at most so many connections of a process', async () => {
    const { port } = await open(all)
    const sockets = Array.from({ length: maxProxyConnections }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      expect(await exchange(port, `GET http://web.example:${webPort}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).to.equal('')
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  it('shares places with the other processes of its owner, and gives back those of ended connections', async () => {
    const shares = createConnectionShares({ owner: 3, total: 10 })
    const takePlace = shares.of('ada')
    const other = takePlace()
    const { port } = await open(all, { isPublic: () => true, takePlace })
    const ask = () => exchange(port, `GET http://web.example:${webPort}/shared HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    // One place for the connection from inside, one for that to the server.
    for (let round = 0; round < 3; round += 1) expect(await ask()).to.match(/hello \/shared/)
    const second = takePlace()
    expect(await ask()).to.match(/^HTTP\/1\.1 403 [\s\S]*too many connections/)
    const third = takePlace()
    expect(await ask()).to.equal('')
    for (const leave of [other, second, third]) leave?.()
    expect(await ask()).to.match(/hello \/shared/)
  })

  /** Connects, sends the beginning, then a byte every few milliseconds; resolves when it is ended. */
  async function trickle(port: number, beginning: string | Buffer): Promise<void> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.resume().write(beginning)
    const timer = setInterval(() => socket.write('a'), 5)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
  }

  for (const [what, beginning] of [
    ['a first head', 'GET http://web.example/'],
    ['the destination of CONNECT', 'CONNECT '],
    ['the methods of SOCKS', Buffer.from([5, 255])],
    ['nothing that is a protocol', ''],
  ] as const)
    it(`ends a connection whose client sends ${what} byte by byte, after the time for all of it`, async () => {
      const { port } = await open(all, { isPublic: () => true, headLimitMs: 100 })
      await trickle(port, beginning)
    })

  it('ends a connection whose client sends the next head byte by byte, and none whose answer takes long', async () => {
    const slow = createServer((_, response) => void setTimeout(() => response.end('late'), 1_200)).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    proxies.push(slow)
    const { port } = await open(all, { isPublic: () => true, headLimitMs: 500 })
    const target = `http://web.example:${(slow.address() as AddressInfo).port}/`
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.on('error', () => undefined).write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
    let answer = ''
    const timer = setInterval(() => answer.includes('late') && socket.write('G'), 5)
    socket.on('data', (text: string) => {
      answer += text
    })
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
    expect(answer).to.match(/^HTTP\/1\.1 200 [\s\S]*late/)
  })

  it('ends connections that speak no protocol', async () => {
    const { port } = await open(all)
    for (const bytes of [
      Buffer.from([5, 1, 2]),
      Buffer.from([5, 0]),
      Buffer.from([5, 1, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]),
      Buffer.from('nonsense\r\n\r\n'),
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.end(bytes)
      socket.resume()
      await once(socket, 'close')
    }
  })

  for (const status of ['000', '042', '101'])
    it(`survives a server that answers with the status ${status}`, async () => {
      const strange = createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.end(`HTTP/1.1 ${status} Strange\r\nContent-Length: 0\r\n\r\n`))
      }).listen(0, '127.0.0.1')
      await once(strange, 'listening')
      proxies.push(strange)
      const { port, curl } = await open(all)
      const target = `http://web.example:${(strange.address() as AddressInfo).port}/`
      expect(await exchange(port, `GET ${target} HTTP/1.1\r\nHost: web.example\r\nConnection: close\r\n\r\n`)).to.match(/^HTTP\/1\.1 502 /)
      expect(await curl('--proxy', `http://127.0.0.1:${port}`, `http://web.example:${webPort}/after`)).to.equal('hello /after')
    })

  it('opens no more connections for the requests of one connection than for those of many', async () => {
    let asked = 0
    const { port } = await open({
      access: 'some',
      destinations: [],
      allows: () => {
        asked += 1
        return new Promise(() => undefined)
      },
    })
    const one = `GET http://web.example:${webPort}/ HTTP/1.1\r\nHost: web.example\r\n\r\n`
    await exchange(port, one.repeat(2 * maxProxyConnections))
    expect(asked).to.equal(maxProxyConnections)
  })

  it('leads nowhere without its credentials, by any protocol, and passes them on to no server', async () => {
    const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`
    const { port, curl } = await open(all, { isPublic: () => true, authorization: basic })
    const target = `http://web.example:${webPort}/guarded`
    const ask = (line: string, header = ''): Promise<string> =>
      exchange(port, `${line} HTTP/1.1\r\nHost: web.example\r\n${header}Connection: close\r\n\r\n`)
    const before = seen.length
    for (const header of ['', 'Proxy-Authorization: Basic d3Jvbmc=\r\n']) {
      expect(await ask(`GET ${target}`, header)).to.match(/^HTTP\/1\.1 407 .*proxy-authenticate: Basic/is)
      expect(await ask(`CONNECT web.example:${webPort}`, header)).to.match(/^HTTP\/1\.1 407 .*Proxy-Authenticate: Basic/s)
    }
    expect(await exchange(port, Buffer.from([5, 1, 0]))).to.equal('')
    expect(seen.length).to.equal(before)
    expect(await curl('--proxy', `http://user:secret@127.0.0.1:${port}`, target)).to.equal('hello /guarded')
    expect(seen.at(-1)?.headers).not.to.have.property('proxy-authorization')
    expect(await curl('--proxytunnel', '--proxy', `http://user:secret@127.0.0.1:${port}`, target)).to.equal('hello /guarded')
  })

  it('marks its own refusals, and takes such a mark away from servers', async () => {
    const forged = createServer((_, response) => response.setHeader('proxy-status', 'forged').end('hello'))
    forged.listen(0, '127.0.0.1')
    await once(forged, 'listening')
    proxies.push(forged)
    const { port } = await open(all)
    const ask = (target: string): Promise<string> =>
      exchange(port, `GET ${target} HTTP/1.1\r\nHost: web.example\r\nConnection: close\r\n\r\n`)
    expect(await ask('http://absent.example/')).to.match(/^HTTP\/1\.1 403 .*proxy-status: egress/is)
    expect(await ask(`http://web.example:${(forged.address() as AddressInfo).port}/`))
      .to.match(/hello$/)
      .and.not.match(/proxy-status/i)
  })
})
