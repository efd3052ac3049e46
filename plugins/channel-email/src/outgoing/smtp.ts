import type { Readable } from 'node:stream'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import { channelOutcomeUnknownError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { mailServer } from '../connection/failures.js'
import type { Destination } from '../connection/resolve-host.js'
import type { ServerSettings } from '../connection/settings.js'
import { smtpFailure } from './smtp-failures.js'

/** Where mails are handed over. */
export interface SmtpServer {
  readonly settings: ServerSettings
  readonly destination: Destination
  /** What this service calls itself in EHLO. */
  readonly ehloName: string
}

/** How long it may take. */
export interface SmtpOptions {
  readonly signal: AbortSignal
  /** The longest wait for an answer, in milliseconds. */
  readonly answerMs: number
  /** The longest for all of it, in milliseconds. */
  readonly limitMs: number
  /** Whether the credentials were good before. */
  readonly wasAccepted: boolean
}

/** A mail with the addresses on its envelope. */
export interface SmtpMail {
  readonly from: string
  readonly to: string
  readonly content: Readable
}

/** Connects and signs in, and sends nothing. @throws the errors of the contract. */
export const checkSmtp = (server: SmtpServer, options: SmtpOptions): Promise<void> => speak(server, options, undefined)

/** Hands one mail over, on a connection of its own. Resolves when the server has taken it. @throws the errors of the contract. */
export const sendMail = (server: SmtpServer, mail: SmtpMail, options: SmtpOptions): Promise<void> => speak(server, options, mail)

async function speak(
  server: SmtpServer,
  { signal, answerMs, limitMs, wasAccepted }: SmtpOptions,
  mail: SmtpMail | undefined,
): Promise<void> {
  signal.throwIfAborted()
  const within = signalWithin(limitMs, signal)
  const connection = new SMTPConnection(connectionOptionsOf(server, answerMs))
  const { user, password } = server.settings
  let wasHandedOver = false
  let isDone = false
  // The client writes the end of the message at the end of its content.
  mail?.content.once('end', () => {
    wasHandedOver = true
  })
  const work = async (): Promise<void> => {
    const failed = new Promise<never>((_, reject) => connection.on('error', reject))
    failed.catch(() => undefined)
    const step = (begin: (done: (error?: unknown) => void) => void): Promise<void> =>
      Promise.race([failed, new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))])
    await step((done) => connection.connect(done))
    await step((done) => connection.login({ credentials: { user, pass: password } }, done))
    if (mail !== undefined) await step((done) => connection.send({ from: mail.from, to: [mail.to] }, mail.content, done))
    isDone = true
  }
  try {
    await abortable(work, within)
  } catch (error) {
    signal.throwIfAborted()
    if (!within.aborted) throw smtpFailure({ error, wasHandedOver, wasAccepted })
    const definition = wasHandedOver ? channelOutcomeUnknownError : channelUnavailableError
    throw definition.create({ channel: mailServer, reason: `it took longer than ${limitMs} ms` }, { cause: error })
  } finally {
    mail?.content.on('error', () => undefined).destroy()
    if (isDone) connection.quit()
    else connection.close()
  }
}

/** Certificates are always verified, and nothing is sent before the connection is protected as the settings say. */
function connectionOptionsOf({ settings, destination, ehloName }: SmtpServer, answerMs: number): SMTPConnection.Options {
  const { port, security, ca } = settings
  const { address, servername } = destination
  return {
    ...{ host: address, port, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...(servername !== undefined && { servername }),
    ...{ name: ehloName, allowInternalNetworkInterfaces: true, logger: false, maxResponseSize: 65_536 },
    ...{ connectionTimeout: answerMs, greetingTimeout: answerMs, socketTimeout: answerMs, socketCloseTimeout: Math.min(answerMs, 2_000) },
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(servername !== undefined && { servername }),
      ...(ca !== undefined && { ca }),
    },
  }
}
