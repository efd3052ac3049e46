import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { settlesWithin } from '@agent-service/sdk/async'
import WebSocket, { WebSocketServer } from 'ws'
import { startChromium, type TestChromium } from './chromium.js'

/** A service as Browserless is one: a browser for each connection, with the arguments of the connection. */
export interface TestBrowserService {
  /** `ws://127.0.0.1:…`. */
  readonly url: string
  /** The arguments of each browser that was started. */
  readonly launches: readonly (readonly string[])[]
  stop(): Promise<void>
}

/** Keeps profiles in a temporary folder, in place of `/profiles`. */
export async function startBrowserService(token: string): Promise<TestBrowserService> {
  const disk = await mkdtemp(path.join(tmpdir(), 'browser-service-'))
  const launches: (readonly string[])[] = []
  const running = new Set<TestChromium>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    if (url.searchParams.get('token') !== token) return void response.writeHead(401).end()
    if (url.pathname === '/pressure')
      return void response.end(JSON.stringify({ pressure: { isAvailable: true, running: running.size, queued: 0 } }))
    if (url.pathname === '/json/version') return void response.end(JSON.stringify({ webSocketDebuggerUrl: 'ws://127.0.0.1:3000' }))
    response.writeHead(404).end()
  })
  const sockets = new WebSocketServer({ noServer: true })
  const serve = async (client: WebSocket, url: URL): Promise<void> => {
    const { args } = JSON.parse(url.searchParams.get('launch') ?? '{"args":[]}') as { readonly args: readonly string[] }
    launches.push(args)
    const waiting: Buffer[] = []
    let onward: WebSocket | undefined
    client.on('message', (data: Buffer) => (onward === undefined ? waiting.push(data) : onward.send(data.toString())))
    const profile = args.find((each) => each.startsWith('--user-data-dir='))?.slice(16)
    const folder = profile === undefined ? undefined : path.join(disk, profile)
    if (folder !== undefined) await mkdir(folder, { recursive: true })
    const chromium = await startChromium([...args.filter((each) => !each.startsWith('--user-data-dir=')), '--disable-quic'], folder)
    running.add(chromium)
    const upstream = new WebSocket(chromium.url)
    await once(upstream, 'open')
    for (const data of waiting.splice(0)) upstream.send(data.toString())
    onward = upstream
    upstream.on('message', (data: Buffer) => client.send(data.toString()))
    const end = (): void => {
      client.close()
      upstream.close()
      running.delete(chromium)
      // It writes its profile as it ends.
      void settlesWithin(chromium.ended, { limitMs: 5_000 }).then(() => chromium.stop())
    }
    client.on('close', end)
    upstream.on('close', end)
  }
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://service')
    if (url.searchParams.get('token') !== token)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (client) => void serve(client, url))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    launches,
    async stop() {
      await Promise.all([...running].map((each) => each.stop()))
      for (const each of sockets.clients) each.terminate()
      server.close()
      server.closeAllConnections()
      await rm(disk, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
