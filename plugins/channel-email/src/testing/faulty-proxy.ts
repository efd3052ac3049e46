import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What a proxy does with what goes through it.
 *
 * - `down`: it takes no connections, and open ones break
 * - `failing`: it greets with a failure; open connections break
 * - `silent`: new connections get no answer; of SMTP, mails get none
 * - `garbled`: the same with an answer that means nothing
 * - `losing`: of SMTP, the connection breaks when a mail was taken
 */
export type ProxyFault = 'down' | 'failing' | 'silent' | 'garbled' | 'losing'

/** A proxy before one of the servers. */
export interface FaultyProxy {
  readonly port: number
  /** How many connections are open. */
  connections(): number
  /** How many connections it has seen. */
  seen(): number
  /** What clients have sent. */
  sent(): string
  break(fault: ProxyFault | undefined): Promise<void>
  /** Breaks all connections. */
  drop(): void
  /** What of the server's lines is changed on its way. Default: nothing. */
  rewrite: (text: string) => string
  close(): Promise<void>
}

const failures = { imap: '* BYE [UNAVAILABLE] Come again later\r\n', smtp: '421 4.3.2 Come again later\r\n' } as const
const nonsense = '\u0001 %% ~~ \u0002 {{{ nothing of this can be read\r\n'

/** Starts it on a free port of an address of this machine. */
export async function startFaultyProxy(protocol: 'imap' | 'smtp', target: number, address = '127.0.0.1'): Promise<FaultyProxy> {
  const open = new Set<Socket>()
  let fault: ProxyFault | undefined
  let count = 0
  let sent = ''
  const proxy: { rewrite: (text: string) => string } = { rewrite: (text) => text }

  const pass = (client: Socket): void => {
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true })
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    let mail: 'none' | 'content' | 'sent' = 'none'
    let tail = ''
    client.on('data', (data) => {
      if (sent.length < 100_000) sent += data.toString('latin1')
      if (mail === 'content') {
        tail = `${tail}${data.toString('latin1')}`.slice(-5)
        if (tail === '\r\n.\r\n') mail = 'sent'
      }
      // An open connection to a server that is silent gets no answer from now on.
      if (!(fault === 'silent' && protocol === 'imap')) server.write(data)
    })
    server.on('data', (data) => {
      const text = data.toString('latin1')
      if (mail === 'sent' && fault === 'losing') return end()
      if (mail === 'sent' && fault === 'garbled') return void client.write(nonsense)
      if (fault === 'silent' && (protocol === 'imap' || mail === 'sent')) return
      if (protocol === 'smtp' && /(?:^|\n)354/.test(text)) [mail, tail] = ['content', '\r\n']
      client.write(Buffer.from(proxy.rewrite(text), 'latin1'))
    })
  }

  const server = createServer({ noDelay: true }, (client) => {
    count += 1
    open.add(client)
    client.on('error', () => client.destroy()).on('close', () => open.delete(client))
    if (fault === 'failing') client.end(failures[protocol])
    else if (protocol === 'imap' && fault === 'garbled') client.write(nonsense)
    else if (protocol === 'smtp' || fault !== 'silent') pass(client)
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, address)
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const drop = (): void => {
    for (const socket of open) socket.destroy()
  }
  return Object.assign(proxy, {
    port,
    connections: () => open.size,
    seen: () => count,
    sent: () => sent,
    drop,
    async break(next: ProxyFault | undefined) {
      fault = next
      if (fault === 'down' || fault === 'failing') drop()
      if (fault === 'down') await new Promise((resolve) => server.close(resolve))
      else if (!server.listening) await listen(port)
    },
    async close() {
      drop()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  })
}
