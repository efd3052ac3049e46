import type { Mail, MailInput, MailStatus } from '../../services/mail.js'
import type { NotificationInput, NotificationKind, Notifications } from '../../services/notifications.js'

/** Notifications that a test reads. */
export interface FakeNotifications extends Notifications {
  /** The declared kinds, by id. */
  readonly kinds: ReadonlyMap<string, NotificationKind>
  /**
   * Every notification so far, oldest first; those of a transaction from the moment of the call,
   * once for each attempt.
   */
  readonly sent: readonly NotificationInput[]
}

/** Records what is declared and sent. */
export function createFakeNotifications(): FakeNotifications {
  const kinds = new Map<string, NotificationKind>()
  const sent: NotificationInput[] = []
  return {
    ...{ kinds, sent },
    declare(kind) {
      kinds.set(kind.id, kind)
      return () => void kinds.delete(kind.id)
    },
    send: async (notification) => void sent.push(notification),
  }
}

/** E-mails that a test reads. */
export interface FakeMail extends Mail {
  /** Every stored e-mail so far, oldest first. */
  readonly sent: readonly MailInput[]
  /** Sets the status from now on. Default: available. */
  become(status: MailStatus): void
}

/** Records e-mails, each key once. */
export function createFakeMail(): FakeMail {
  const sent: MailInput[] = []
  let status: MailStatus = { available: true }
  return {
    sent,
    become(next) {
      status = next
    },
    status: () => status,
    async send(mail) {
      if (!status.available) return { id: '', outcome: 'unavailable' }
      const known = sent.findIndex(({ key }) => key === mail.key)
      if (known >= 0) return { id: `mail-${known + 1}`, outcome: 'known' }
      return { id: `mail-${sent.push(mail)}`, outcome: 'stored' }
    },
  }
}
