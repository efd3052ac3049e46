import { type Channel, defineChannel } from '@agent-service/sdk/contracts/channel'
import { members } from './connection/members.js'
import { setUp } from './connection/set-up.js'
import type { SessionNeeds } from './open-session.js'

/** What the channel needs. */
export type EmailChannelOptions = Omit<SessionNeeds, 'limits'> & {
  /** Other ones in tests. */
  readonly limits?: SessionNeeds['limits']
}

const usualLimits: SessionNeeds['limits'] = {
  ...{ answerMs: 20_000, readMs: 60_000, sendMs: 55_000 },
  ...{ pollMs: 120_000, pollWithoutIdleMs: 30_000 },
}

/** Attachments grow by a third on their way, and many servers take mails of up to 25 MB. */
const maxFileBytes = 18_000_000

/**
 * Mailboxes: IMAP for what comes, SMTP for what goes out. Sending is idempotent as far as e-mail can be:
 * a delivery that is sent again has the same Message-ID, by which many mailboxes and programs show one mail.
 */
export const createEmailChannel = ({ clock, log, limits = usualLimits }: EmailChannelOptions): Channel =>
  defineChannel({
    id: 'email',
    title: 'E-mail',
    connection: members,
    setUp,
    limits: { text: { unit: 'utf16', max: 50_000 }, attachments: { maxBytes: maxFileBytes, maxCount: 5 } },
    supports: { markdown: true, attachmentsIn: true, attachmentsOut: true, idempotentSend: true },
    async connect(connection, host, { signal: life }) {
      life.throwIfAborted()
      // Only where there is such a connection: the programs for both protocols take time and memory to load.
      const { openSession } = await import('./open-session.js')
      return await openSession(connection, host, { clock, log, limits, life })
    },
  })
