import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** What a server has been given, and how it answers. */
export interface MailPeer {
  readonly port: number
  readonly mails: readonly { readonly to: string; readonly source: string; readonly greeting: string }[]
  /** Called with each message before it is taken. */
  answer: () => Promise<void>
  until(count: number): Promise<void>
  /** Counts from nothing again. */
  forget(): void
  close(): Promise<void>
}

export async function startMailPeer(): Promise<MailPeer> {
  const mails: { readonly to: string; readonly source: string; readonly greeting: string }[] = []
  const waiting = new Set<() => void>()
  const peer: MailPeer = {
    port: 0,
    mails,
    answer: async () => undefined,
    async until(count) {
      while (mails.length < count) await new Promise<void>((resolve) => waiting.add(resolve))
    },
    forget: () => void mails.splice(0),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, closeTimeout: 100, disabledCommands: ['STARTTLS'] },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({
          ...{ to: session.envelope.rcptTo[0]?.address ?? '', source: Buffer.concat(chunks).toString('utf8') },
          greeting: String(session.hostNameAppearsAs),
        })
        for (const resolve of waiting) resolve()
        waiting.clear()
        void peer.answer().then(() => done())
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(peer, { port: (server.server.address() as AddressInfo).port })
}

/** The code in an e-mail that confirms an address. */
export const codeIn = (source: string | undefined): string | undefined =>
  /^[B-DF-HJ-NP-TV-XZ2-9]{4}-[B-DF-HJ-NP-TV-XZ2-9]{4}\r$/m.exec(source ?? '')?.[0].trim()
