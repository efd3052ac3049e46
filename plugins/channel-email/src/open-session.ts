import type { Logger } from '@agent-service/sdk'
import { callVendor } from '@agent-service/sdk/channels'
import type { ChannelConnection, ChannelHost, ChannelSession } from '@agent-service/sdk/contracts/channel'
import type { Clock } from '@agent-service/sdk/services/clock'
import { mailServer } from './connection/failures.js'
import { type Destination, resolveHost } from './connection/resolve-host.js'
import { readSettings } from './connection/settings.js'
import { openMemory } from './imap/memory.js'
import { openMailbox } from './imap/open-mailbox.js'
import { checkSmtp } from './outgoing/smtp.js'
import { createSession, type EmailLimits } from './session.js'

/** What a session needs besides its connection. */
export interface SessionNeeds {
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly log: Pick<Logger, 'debug' | 'warn'>
  readonly limits: EmailLimits
}

const connectMs = 28_000
const leastIdleMs = 60_000

/** Signs in to both servers and opens the mailbox. @throws the errors of the contract. */
export async function openSession(
  connection: ChannelConnection,
  host: ChannelHost,
  { clock, log, limits, life }: SessionNeeds & { readonly life: AbortSignal },
): Promise<ChannelSession> {
  life.throwIfAborted()
  const settings = readSettings(connection)
  const { origin, id } = connection
  const { answerMs: limitMs, pollMs } = limits
  const idleMs = Math.max(pollMs, leastIdleMs)
  const mailboxOf = (destination: Destination, signal: AbortSignal, wasAccepted: boolean) =>
    openMailbox({ settings: settings.imap, destination, mailbox: settings.mailbox }, { signal, limitMs, idleMs, wasAccepted })
  const open = async (signal: AbortSignal) => {
    const imap = await resolveHost(settings.imap, { origin, signal })
    const destination = await resolveHost(settings.smtp, { origin, signal })
    const smtp = { settings: settings.smtp, destination, ehloName: settings.ehloName }
    const mailbox = await mailboxOf(imap, life, false)
    try {
      await checkSmtp(smtp, { signal, answerMs: limitMs, limitMs: connectMs, wasAccepted: false })
      return { imap, smtp, mailbox, memory: await openMemory(host) }
    } catch (error) {
      mailbox.close()
      throw error
    }
  }
  const { imap, ...opened } = await callVendor(open, { channel: mailServer, signal: life, limitMs: connectMs })
  return createSession({
    ...{ id, settings, clock, limits, log, life, ...opened },
    async signInAgain(signal) {
      const mailbox = await mailboxOf(imap, signal, true)
      mailbox.close()
    },
  })
}
