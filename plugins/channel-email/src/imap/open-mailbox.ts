import { onAbort } from '@agent-service/sdk/async'
import { channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { ImapFlow } from 'imapflow'
import { imapFailure, mailServer } from '../connection/failures.js'
import type { Destination } from '../connection/resolve-host.js'
import type { ServerSettings } from '../connection/settings.js'

/** A mailbox that is open. */
export interface OpenMailbox {
  readonly client: ImapFlow
  /** Aborted when the connection has ended, with `channel_unavailable`. */
  readonly lost: AbortSignal
  /** Changes whenever the server says that the mailbox has more or other mails. */
  readonly news: () => number
  /** Waits for a change, until the signal is aborted. Never rejects. */
  nextNews(after: number, signal: AbortSignal): Promise<void>
  /** Ends the connection at once. */
  close(): void
}

/** What a server may make this process hold for one answer. */
const memory = { maxLineLength: 4 * 1_048_576, maxLiteralSize: 2 * 1_048_576, maxResponseSize: 8 * 1_048_576, maxResponseTokens: 100_000 }

/**
 * Connects, signs in and opens a mailbox. Certificates are always verified, and the password is sent
 * only over a connection that is protected as the settings say. It closes when the signal is aborted.
 * @throws the errors of the contract.
 */
export async function openMailbox(
  { settings, destination, mailbox }: { readonly settings: ServerSettings; readonly destination: Destination; readonly mailbox: string },
  { signal, limitMs, idleMs, wasAccepted = false }: OpenOptions,
): Promise<OpenMailbox> {
  const { address, servername } = destination
  const { port, security, user, password, ca } = settings
  const client = new ImapFlow({
    ...{ host: address, port, secure: security === 'tls', doSTARTTLS: security === 'starttls' },
    ...(servername !== undefined && { servername }),
    auth: { user, pass: password },
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(servername !== undefined && { servername }),
      ...(ca !== undefined && { ca }),
    },
    ...{ logger: false, disableAutoIdle: true, disableCompression: true, maxLockHoldTime: false, clientInfo: { name: 'Agent Service' } },
    ...{ connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: 2 * idleMs, maxIdleTime: idleMs },
    ...memory,
  })
  const lost = new AbortController()
  let failure: unknown
  let changes = 0
  const watchers = new Set<() => void>()
  const changed = (): void => {
    changes += 1
    for (const watch of watchers) watch()
  }
  client.on('error', (error: unknown) => {
    failure = error
  })
  client.on('exists', changed)
  client.on('mailboxOpen', changed)
  client.on('close', () => lost.abort(endOf(failure, client.byeReason)))
  const close = (): void => {
    forget()
    client.close()
  }
  const forget = onAbort(signal, () => client.close())
  try {
    await client.connect()
    await client.mailboxOpen(mailbox)
  } catch (error) {
    close()
    signal.throwIfAborted()
    throw imapFailure(error, { wasAccepted })
  }
  return {
    ...{ client, lost: lost.signal, news: () => changes, close },
    nextNews: (after, until) =>
      new Promise((resolve) => {
        const settle = (): void => {
          watchers.delete(settle)
          forgetUntil()
          resolve()
        }
        let forgetUntil: () => void = () => undefined
        if (changes !== after || until.aborted) return settle()
        watchers.add(settle)
        forgetUntil = onAbort(until, settle)
      }),
  }
}

/** How a mailbox is opened. */
export interface OpenOptions {
  readonly signal: AbortSignal
  /** The longest wait for the server, in milliseconds. */
  readonly limitMs: number
  /** How often the connection is used at the least, in milliseconds. */
  readonly idleMs: number
  /** Whether the credentials were good before. */
  readonly wasAccepted?: boolean
}

const endOf = (failure: unknown, bye: string | undefined): Error =>
  failure === undefined
    ? channelUnavailableError.create({
        channel: mailServer,
        reason: bye === undefined ? 'the connection has ended' : 'it has ended the connection',
      })
    : imapFailure(failure)
