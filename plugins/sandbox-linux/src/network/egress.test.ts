import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { promisify } from 'node:util'
import type { SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { isPublic, openDestination } from './destinations.js'
import { createEgressProxy } from './egress-proxy.js'

const execute = promisify(execFile)
const resolve = async (host: string): Promise<readonly string[]> => {
  const known: Readonly<Record<string, readonly string[]>> = {
    ...{ 'web.example': ['127.0.0.1'], 'public.example': ['93.184.216.34'], 'mixed.example': ['93.184.216.34', '10.0.0.1'] },
  }
  return known[host] ?? []
}

describe('destinations of sandboxed processes', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34', '64:ff9b::5db8:d822'])
    it(`take ${address} for public`, () => expect(isPublic(address)).to.equal(true))

  for (const address of [
    ...['127.0.0.1', '::1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '168.63.129.16'],
    ...[
      'fe80::1',
      'fd00:ec2::254',
      '::ffff:127.0.0.1',
      '::ffff:169.254.169.254',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'ff02::1',
      '224.0.0.1',
    ],
    ...['255.255.255.255', '::', 'nonsense', '127.1', '0x7f.1', '2130706433'],
  ])
    it(`do not take ${address} for public`, () => expect(isPublic(address)).to.equal(false))

  const listed: Pick<SandboxNetwork, 'access' | 'destinations'> = {
    access: 'some',
    destinations: [{ host: 'public.example', port: 443 }, { host: '*.example.org' }, { host: '93.184.216.34' }],
  }
  for (const [host, port, expected] of [
    ['public.example', 443, { address: '93.184.216.34' }],
    ['PUBLIC.example.', 443, { address: '93.184.216.34' }],
    ['public.example', 80, { closed: 'not allowed' }],
    ['other.example', 443, { closed: 'not allowed' }],
    ['a.example.org', 443, { closed: 'not found' }],
    ['example.org', 443, { closed: 'not allowed' }],
    ['evilexample.org', 443, { closed: 'not allowed' }],
    ['93.184.216.34', 22, { address: '93.184.216.34' }],
    ['::ffff:93.184.216.34', 22, { closed: 'not allowed' }],
  ] as const)
    it(`open ${host}:${port} as listed: ${JSON.stringify(expected)}`, async () => {
      expect(await openDestination(listed, host, port, { resolve })).to.deep.equal(expected)
    })

  it('close a name that has an address of the local network among others', async () => {
    expect(await openDestination({ access: 'on', destinations: [] }, 'mixed.example', 80, { resolve })).to.deep.equal({
      closed: 'not public',
    })
    expect(await openDestination({ access: 'off', destinations: [] }, 'public.example', 80, { resolve })).to.deep.equal({
      closed: 'not allowed',
    })
  })
})

describe('the proxy of a sandboxed process', () => {
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

  async function open(network: Pick<SandboxNetwork, 'access' | 'destinations'>) {
    const refusals: string[] = []
    const proxy = createEgressProxy(network, {
      resolve,
      isPublic: () => true,
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

  it('ends connections that speak no protocol', async () => {
    const { connect } = await import('node:net')
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
})
