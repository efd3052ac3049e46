import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A message that the server has taken. */
export interface ReceivedMail {
  readonly to: readonly string[]
  readonly source: string
}

/** How the server behaves. Each may be changed while it runs. */
export interface PeerBehaviour {
  /** The answer to RCPT TO, instead of accepting it. */
  refuse?: { readonly code: number; readonly text: string } | undefined
  /** Breaks the connection: before the message is taken, or after, without an answer. */
  drop?: 'before' | 'after' | undefined
  /** Called before the answer to a message. */
  beforeAnswer?: (() => Promise<void>) | undefined
}

export interface MailPeer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  readonly behaviour: PeerBehaviour
  /** The most connections at a time so far. */
  mostConnections(): number
  /** Resolves once so many messages were taken. */
  taken(count: number): Promise<void>
  close(): Promise<void>
}

/** A real SMTP server on port 0, from the authors of the client. */
export async function startMailPeer(options: SMTPServerOptions = {}): Promise<MailPeer> {
  const received: ReceivedMail[] = []
  const behaviour: PeerBehaviour = {}
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let connections = 0
  let most = 0
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, closeTimeout: 100, disabledCommands: [] },
    onConnect(_session, done) {
      connections += 1
      most = Math.max(most, connections)
      done()
    },
    onClose: () => {
      connections -= 1
    },
    onRcptTo(_address, _session, done) {
      const { refuse } = behaviour
      if (refuse) done(Object.assign(new Error(refuse.text), { responseCode: refuse.code }))
      else done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void (async () => {
          const { drop } = behaviour
          if (drop !== 'before') {
            received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString('utf8') })
            for (const each of waiting) if (received.length >= each.count) each.resolve()
          }
          if (drop !== undefined) {
            for (const connection of server.connections) (connection as unknown as { _socket: { destroy(): void } })._socket.destroy()
            return
          }
          await behaviour.beforeAnswer?.()
          done()
        })()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...{ received, behaviour, port: (server.server.address() as AddressInfo).port },
    mostConnections: () => most,
    taken: (count) => (received.length >= count ? Promise.resolve() : new Promise((resolve) => void waiting.push({ count, resolve }))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A certificate for `localhost` and 127.0.0.1 that signs itself. */
export async function makeCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mail-peer-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert],
    ])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
