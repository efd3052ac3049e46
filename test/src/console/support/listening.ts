import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { BrowserContext } from 'playwright-core'

/** A place in the network at which nothing may arrive. */
export interface Listening {
  /** `127.0.0.1:…`, of what listens to TCP. */
  readonly host: string
  readonly udpPort: number
  /** What arrived: the first line of each request, or `packet`. */
  readonly arrived: readonly string[]
  forget(): void
  /** Waits until something arrives that matches. */
  next(what: RegExp): Promise<void>
  /** What has arrived when a request of another page of the browser does, which begins now. */
  arrivedBefore(context: BrowserContext): Promise<readonly string[]>
  close(): void
}

/** Listens to TCP and UDP, and answers every request with an empty text that any page may read. */
export async function startListening(): Promise<Listening> {
  const arrived: string[] = []
  let look = (): void => undefined
  const arrive = (what: string): void => {
    arrived.push(what)
    look()
  }
  const tcp = createServer((socket) => {
    socket.on('data', (bytes) => {
      arrive(String(bytes).split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 0\r\n\r\n')
    })
    socket.on('error', () => undefined)
  })
  const udp = createSocket('udp4').on('message', () => arrive('packet'))
  tcp.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
  return {
    host: `127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    udpPort: udp.address().port,
    arrived,
    forget: () => void arrived.splice(0),
    next: (what) =>
      new Promise((resolve) => {
        look = () => {
          if (arrived.some((line) => what.test(line))) resolve()
        }
        look()
      }),
    async arrivedBefore(context) {
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/last`)
      await page.close()
      return arrived.filter((line) => !/\/(?:last|favicon)/.test(line))
    },
    close() {
      tcp.close()
      udp.close()
    },
  }
}
