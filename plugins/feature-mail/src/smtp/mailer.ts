import { createTransport } from 'nodemailer'
import type { MailSettings } from '../common/mail-section.js'
import type { ComposedMail } from './compose.js'
import { maxConnections } from './limits.js'

/** Speaks to the mail server. */
export interface Mailer {
  /** Hands a message over; resolves when the server has taken it. @throws an error of the transport. */
  send(mail: ComposedMail): Promise<void>
  /** Connects and signs in, without sending anything. @throws as {@link send}. */
  verify(): Promise<void>
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
  settings: Pick<MailSettings, 'host' | 'port' | 'security' | 'user' | 'password'>,
  options: { readonly ca?: string; readonly times?: Partial<typeof times> } = {},
): Mailer {
  const { host, port, security, user, password } = settings
  const transport = createTransport({
    pool: true,
    ...{ maxConnections, maxMessages: 100, maxRequeues: 0 },
    ...{ host: host ?? '', port, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
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
    close: () => transport.close(),
  }
}
