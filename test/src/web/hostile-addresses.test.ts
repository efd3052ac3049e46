import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { collectOpened, type Opened, openTestClient, startTestServer, type TestClientOptions } from '@agent-service/kernel/testing'
import { classifyAddress } from '@agent-service/sdk/addresses'
import { type HttpClient, httpClientService } from '@agent-service/sdk/services/http-client'
import { createTestContext } from '@agent-service/sdk/testing'
import toolWeb from '@agent-service/tool-web'
import { expect } from 'chai'
import { hostileAddresses, hostileNames } from './support/hostile-addresses.js'

/** The one address of this machine that pages may come from in these tests. */
const entry = '127.0.0.9'

/** Listens on one port of every address of this machine, and counts who comes. */
async function openTrap(opened: Opened): Promise<{ readonly port: number; readonly visits: () => number }> {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.on('error', () => undefined).resume()
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nsecret')
  })
  // Both families at once, where the machine has both.
  await listenOn(server, '::').catch(() => listenOn(server, '0.0.0.0'))
  opened.add(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as { readonly port: number }
  return { port, visits: () => visits }
}

const listenOn = (server: Server, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** The tool with the real guarded client, which has the permissions of its manifest and the test's answers to questions of names. */
async function openTool(opened: Opened, options: TestClientOptions, change: (client: HttpClient) => HttpClient = (client) => client) {
  const [permission] = toolWeb.manifest.permissions ?? []
  const client = openTestClient(opened, { targets: permission?.targets ?? [], ...options })
  const test = createTestContext(toolWeb, { services: [[httpClientService, change(client)]] })
  opened.add(() => test.dispose())
  await test.setup()
  let calls = 0
  return {
    lookups: client.lookups,
    async fetch(url: string) {
      calls += 1
      // Another user for each fifty, so that no limit answers instead.
      const { content, isError = false } = await test.call('web_fetch', { url }, { userId: `user-${Math.floor(calls / 50)}` })
      return { isError, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
    },
  }
}

describe('web_fetch and addresses that are not public', () => {
  const opened = collectOpened()
  afterEach(() => opened.close())

  it('reaches none of 400 hostile addresses', async () => {
    const trap = await openTrap(opened)
    const own = Object.values(networkInterfaces())
      .flatMap((addresses = []) => addresses.map(({ address }) => address))
      .filter((address) => classifyAddress(address) !== 'public')
    const addresses = [
      ...hostileAddresses(trap.port),
      ...own.map((address) => `http://${address.includes(':') ? `[${address.split('%')[0]}]` : address}:${trap.port}/`),
    ]
    expect(addresses.length).to.be.at.least(400)
    const sanity = await fetch(`http://127.0.0.1:${trap.port}/`)
    expect([await sanity.text(), trap.visits()]).to.deep.equal(['secret', 1])

    const tool = await openTool(opened, { names: hostileNames })
    const read: string[] = []
    for (const url of addresses) {
      const { isError, text } = await tool.fetch(url)
      if (!isError || text.includes('secret')) read.push(url)
    }
    expect(read).to.deep.equal([])
    expect(trap.visits()).to.equal(1)
  })

  it('is led to none by 50 chains of redirects and names that change their address', async () => {
    const trap = await openTrap(opened)
    // Pages come from one address that the client may reach; whatever else is private stays closed.
    const allowing = (client: HttpClient): HttpClient => ({
      request: (request, more) => client.request({ ...request, allowPrivate: true }, more),
      stream: (request, more) => client.stream({ ...request, allowPrivate: true }, more),
    })
    const targets = [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '127.0.0.2',
      '0.0.0.0',
      'rebound.example',
      'six.example',
    ]
    const statuses = [301, 302, 303, 307, 308]
    const hops = 3
    const flips = new Map<string, number>()
    /** Names that lead to the entry when they are asked for first, or never, and to this machine's loopback from then on. */
    const flipping = Array.from({ length: 10 }, (_, index) => `flips-${index}.example`)
    const names = {
      ...hostileNames,
      'entry.example': [entry],
      ...Object.fromEntries(
        flipping.map((name, index) => [
          name,
          () => {
            const asked = flips.get(name) ?? 0
            flips.set(name, asked + 1)
            if (asked < index % 3) return [entry]
            return index % 2 === 0 ? ['127.0.0.1'] : [entry, '127.0.0.1']
          },
        ]),
      ),
    }
    const server = await startTestServer(
      opened,
      ({ url = '/' }, response) => {
        const { searchParams } = new URL(url, 'http://localhost')
        const left = Number(searchParams.get('left'))
        const [to = '', status = '302'] = [searchParams.get('to') ?? '', searchParams.get('status') ?? '302']
        const next = new URLSearchParams({ to, status, left: String(left - 1) })
        const location = left > 0 ? `${searchParams.get('via') ?? ''}/?${next}` : to
        // A new connection for each hop, so that each name is asked for again.
        response.writeHead(Number(status), { location, connection: 'close' }).end()
      },
      { address: entry },
    )
    const from = (to: string, status: number, left: number, host = 'entry.example'): string =>
      `http://${host}:${server.port}/?${new URLSearchParams({ to, status: String(status), left: String(left) })}`
    const chains = [
      ...targets.flatMap((host, index) =>
        statuses.slice(0, 4).map((status, hop) => from(`http://${host}:${trap.port}/`, status, (index + hop) % hops)),
      ),
      ...['http:\\\\127.0.0.1:PORT/', '//127.0.0.1:PORT/', 'http://user@127.0.0.1:PORT/', 'https://127.0.0.1:PORT/'].map((to) =>
        from(to.replace('PORT', String(trap.port)), 302, 1),
      ),
      // The name of the page itself leads here at the next connection.
      ...flipping.map((name) => from(`http://${name}:${trap.port}/`, 302, 1, name)),
    ]
    expect(chains.length).to.be.at.least(50)

    const tool = await openTool(opened, { names, targets: ['*', entry] }, allowing)
    const read: string[] = []
    for (const url of chains) {
      const { isError, text } = await tool.fetch(url)
      if (!isError || text.includes('secret')) read.push(`${url} ${text}`)
    }
    expect(read).to.deep.equal([])
    expect(trap.visits()).to.equal(0)
    // The chains began: the entry was reached, and names were asked for more than once.
    expect(server.seen.length).to.be.at.least(40)
    expect([...flips.values()].some((asked) => asked > 1)).to.equal(true)
  })

  it('would be seen at the socket, if the client were allowed to', async () => {
    const trap = await openTrap(opened)
    const allowing = (client: HttpClient): HttpClient => ({
      ...client,
      stream: (request, more) => client.stream({ ...request, allowPrivate: true }, more),
    })
    const tool = await openTool(opened, { names: hostileNames, targets: ['*', '127.0.0.0/8', '::1'] }, allowing)
    for (const host of ['127.1', 'rebound.example']) expect((await tool.fetch(`http://${host}:${trap.port}/`)).text).to.contain('secret')
    expect(trap.visits()).to.equal(2)
  })
})
