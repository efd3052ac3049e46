import { isIP } from 'node:net'
import { mailbox } from '@agent-service/sdk/email-addresses'
import type { Urls } from '@agent-service/sdk/services/urls'
import { createTransport } from 'nodemailer'
import type { MailSettings } from '../common/mail-section.js'
import type { ComposedMail } from './compose.js'
import { type Failure, failureOf } from './failure.js'
import { maxConnections } from './limits.js'

/** Speaks to the mail server. */
export interface Mailer {
  /** Hands a message over; resolves when the server has taken it. @throws an error of the transport. */
  send(mail: ComposedMail): Promise<void>
  /** Connects and signs in, without sending anything. @throws as {@link send}. */
  verify(): Promise<void>
  /** What an error of {@link send} and {@link verify} means. */
  explain(error: unknown): Failure
  /** Ends the connections. */
  close(): void
}

const times = { connectionTimeout: 20_000, greetingTimeout: 15_000, socketTimeout: 60_000, dnsTimeout: 15_000 }

/**
 * Makes it. The server's certificate is always verified; connections that are not protected as the
 * settings say are not used.
 * @param options.ca - Further certificates that are trusted, for tests.
 */
export function createMailer(
  settings: Pick<MailSettings, 'host' | 'port' | 'security' | 'user' | 'password' | 'from' | 'ehlo_name'>,
  options: { readonly urls: Pick<Urls, 'page'>; readonly ca?: string; readonly times?: Partial<typeof times> },
): Mailer {
  const { host = '', port, security, user, password } = settings
  const ehloName = ehloNameOf(settings, options.urls)
  const transport = createTransport({
    pool: true,
    ...{ maxConnections, maxMessages: 100, maxRequeues: 0 },
    ...{ host, port, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...(ehloName === undefined ? {} : { name: ehloName }),
    ...{ ...times, ...options.times },
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(options.ca === undefined ? {} : { ca: options.ca }) },
    ...{ disableFileAccess: true, disableUrlAccess: true, logger: false },
  })
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, headers: { ...mail.headers } })
    },
    async verify() {
      await transport.verify()
    },
    explain: (error) => failureOf(error, { port, security, user, password, ehloName }),
    close: () => transport.close(),
  }
}

/**
 * The name with which the service greets the server (RFC 5321, 4.1.1.1): the setting, else the host of
 * the service's pages, else the domain of the sender. Undefined if neither is a full name; the
 * transport takes the machine's own then.
 */
export function ehloNameOf({ ehlo_name, from }: Pick<MailSettings, 'ehlo_name' | 'from'>, urls: Pick<Urls, 'page'>): string | undefined {
  if (ehlo_name !== undefined) return ehlo_name
  const domain = mailbox(from ?? '')
    ?.address.split('@')
    .at(-1)
  return [new URL(urls.page('/')).hostname.replace(/\.$/, ''), domain].find((name) => name?.includes('.') === true && isIP(name) === 0)
}
