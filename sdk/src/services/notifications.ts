import type { Disposer } from '../core/disposer.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { Transaction } from './database.js'

/**
 * One text in several languages, by tag: `en`, `de`. English is shown where the person's language
 * is missing.
 */
export interface NotificationText {
  /** The one that has to be there. */
  readonly en: string
  /** Further languages. */
  readonly [language: string]: string
}

/** A kind of notification: each person decides whether and where they get it. */
export interface NotificationKind {
  /**
   * Words in snake_case with a dot between them: `task.failed`. That of a third party begins with
   * its plugin's id and a dot.
   */
  readonly id: string
  /** What happened, in a few words: `A task failed`. At most 60 characters. */
  readonly title: NotificationText
  /** One sentence for the person who decides. At most 200 characters. */
  readonly description: NotificationText
  /** Whether it is in the list of people who have not decided. */
  readonly app: boolean
  /** Whether it goes to people who have not decided by e-mail, if they have an address. */
  readonly mail: boolean
  /**
   * Whether people who have not decided get it on the devices where they asked for notifications.
   * Default: as `app`.
   */
  readonly push?: boolean
  /** `admins`: only administrators get it and see it among their kinds. */
  readonly audience: 'everyone' | 'admins'
  /**
   * How many e-mails of it one person gets within an hour, from 1 to 100; the others are in the list
   * alone. For what may come of many things at once. Default: no limit of its own.
   */
  readonly mailsPerHour?: number
}

/** Something that a person should know. */
export interface NotificationInput {
  /** One user, or everyone who is an administrator now. An unknown or disabled user gets nothing. */
  readonly to: { readonly userId: string } | 'admins'
  /** The id of a declared kind. */
  readonly kind: string
  /**
   * 1 to 200 characters. A second notification of the same kind and key to the same person is
   * dropped, also weeks later and after a crash: name what it reports, such as the id of an
   * execution and of its attempt.
   */
  readonly key: string
  /** One line of plain text for people; the first 200 characters count. */
  readonly title: string
  /** Plain text, or empty; the first 4,000 characters count. Without secrets. */
  readonly text: string
  /**
   * The page of the web console that shows what it is about: a path such as `/tasks/1`, at most 500
   * characters. Never an address of another site.
   */
  readonly link?: string
  /**
   * The ids of what it is about, for programs: `{ task_id: '1', chat_id: '2' }`. At most 10, each of
   * at most 200 characters. `chat_id` and `run_id` are also those of its event.
   */
  readonly about?: Readonly<Record<string, string>>
  /** Of its e-mail, in one line, where the title alone does not say what has happened. Default: the title. */
  readonly subject?: string
  /**
   * False: it goes by no e-mail, since an earlier one has said as much; for what may come again every
   * minute. Default: as the person wants it.
   */
  readonly mail?: boolean
  /**
   * True: dropped if the person has a page of the console before their eyes when it arrives. For
   * what they would see there anyway.
   */
  readonly unseen?: boolean
}

/**
 * Notifications: what the service has to say to people, kept in a list until they have seen it, and
 * sent by e-mail to those who want that.
 *
 * @example
 * const notifications = context.use(notificationsService)
 * context.onDispose(
 *   notifications.declare({
 *     ...{ id: 'notes.shared', app: true, mail: false, audience: 'everyone' },
 *     title: { en: 'A note was shared', de: 'Eine Notiz wurde geteilt' },
 *     description: { en: 'Somebody shared a note with you.', de: 'Jemand hat eine Notiz mit Ihnen geteilt.' },
 *   }),
 * )
 * const shared = { title: 'Shopping list', text: 'Ada shared it with you.', link: '/notes/1' }
 * await notifications.send({ to: { userId }, kind: 'notes.shared', key: 'note-1', ...shared })
 */
export interface Notifications {
  /**
   * Declares a kind, until the result is called. At the beginning of `setup`: what is sent under a
   * kind that nobody has declared is in the list all the same, and never goes by e-mail.
   * @throws `notification_invalid`; `notification_kind_conflict` for an id that is taken.
   */
  declare(kind: NotificationKind): Disposer
  /**
   * Sends a notification. With a transaction of the caller it is part of it: if that commits, the
   * notification arrives, exactly once, over crashes and restarts; if not, it was never sent.
   * Without one it is durable when the promise resolves. Arriving (the list, the event
   * `notification.created`, e-mail, devices) follows shortly after the commit and never fails the caller.
   * @throws `notification_invalid` for a link that is no path, or members that are too many or too
   * long to be cut; the errors of the database.
   */
  send(notification: NotificationInput, options?: { readonly transaction?: Transaction }): Promise<void>
}

/** Notifications. Provided by `feature-notifications`. */
export const notificationsService = defineServiceReference<Notifications>()('notifications')
