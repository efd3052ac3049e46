import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail that has arrived. */
export interface ArrivedMail {
  readonly to: string
  readonly source: string
  readonly mail: Email
}

/** The mail server of the people who write, as far as it takes mails. */
export interface Sink {
  readonly port: number
  /** In order; those that came twice too. */
  readonly arrived: readonly ArrivedMail[]
  /** Answers to mails for an address, instead of taking them. */
  readonly refusals: Map<string, { readonly code: number; readonly text: string }>
  close(): Promise<void>
}

/** Starts it on a free port. */
export async function startSink(): Promise<Sink> {
  const arrived: ArrivedMail[] = []
  const refusals: Sink['refusals'] = new Map()
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, closeTimeout: 100, disabledCommands: ['STARTTLS', 'AUTH'] },
    onRcptTo({ address }, _session, done) {
      const refusal = refusals.get(address.toLowerCase())
      if (refusal) done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
      else done()
    },
    onData(stream, { envelope }, done) {
      const take = async (): Promise<void> => {
        const pieces: Buffer[] = []
        for await (const piece of stream) pieces.push(piece as Buffer)
        const source = Buffer.concat(pieces)
        const mail = await PostalMime.parse(source)
        for (const { address } of envelope.rcptTo) arrived.push({ to: address.toLowerCase(), source: source.toString(), mail })
      }
      take().then(() => done(), done)
    },
  })
  // A client that breaks its connection is no failure of the server.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...{ arrived, refusals, port: (server.server.address() as AddressInfo).port },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
