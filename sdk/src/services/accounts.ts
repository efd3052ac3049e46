import type { Disposer } from '../core/disposer.js'
import { defineServiceReference } from '../core/service-reference.js'

/** A user as features see it. */
export interface Account {
  /** Never changes and is never reused. */
  readonly id: string
  /** The present name; the user may change it. */
  readonly username: string
  /** The name of the user's folder; never changes. */
  readonly handle: string
  /** As stored now. */
  readonly role: 'admin' | 'user'
  /** The zone for this user: the profile's, else `server.timezone`, else the detected one. */
  readonly timezone: string
}

/** Changes of a user's profile by a feature. Absent members stay; null clears. */
export interface AccountProfileChange {
  /** The display name: at most 200 characters, no control characters. */
  readonly name?: string | null
  /** An IANA name, `Europe/Vienna`. Null: the server's zone. */
  readonly timezone?: string | null
}

/** How to reach a user. */
export interface AccountContact {
  /**
   * The e-mail address of the account, if it is confirmed to be the person's. Null: there is none
   * that anything may be sent to.
   */
  readonly email: string | null
  /** An address is set, but nothing may be sent to it before the person has confirmed it. */
  readonly hasUnconfirmedEmail: boolean
  /** The display name. Null: none is set. */
  readonly name: string | null
  /** The language in which the person is written to, as a tag such as `de`. Absent: none is set. */
  readonly language?: string
}

/** A user's profile after a change. */
export interface AccountProfile {
  /** Null: none is set. */
  readonly name: string | null
  /** As {@link Account.timezone}. */
  readonly timezone: string
}

/** Somebody who has asked for an account. */
export interface WaitingPerson {
  /** Of the request. */
  readonly id: string
  /** The name that they chose. */
  readonly username: string
}

/**
 * Looks up users, and changes harmless parts of their profiles.
 *
 * @example
 * const account = await context.use(accountsService).get(userId)
 * const now = new Date().toLocaleString('en', { timeZone: account?.timezone })
 */
export interface Accounts {
  /** `undefined` for an unknown or disabled user. */
  get(userId: string): Promise<Account | undefined>
  /**
   * How to reach a user: for those who send something to people, and for nothing else. `undefined`
   * for an unknown or disabled user.
   */
  contact(userId: string): Promise<AccountContact | undefined>
  /**
   * Whether a session can be used: it is this user's, has neither ended nor expired, and the account
   * is not disabled. For what a feature keeps for a device as long as a person is signed in there.
   */
  hasSession(userId: string, sessionId: string): Promise<boolean>
  /** Everyone who is an administrator now and not disabled, at most 1,000. */
  admins(): Promise<readonly Account[]>
  /**
   * Everyone who has asked for an account and waits for an administrator. They are no users: there is
   * no data of theirs, and nothing may be done in their name.
   */
  waiting(): Promise<readonly WaitingPerson[]>
  /** Calls the listener for each one who asks from now on, after it is stored, until the result is called. */
  watchWaiting(listener: (person: WaitingPerson) => void): Disposer
  /**
   * The ids of all users, also of disabled ones: one page, for work over everyone's data. One who
   * changes their name meanwhile may be given twice or left out, so what must reach everyone goes
   * through the list until it finds nothing more to do.
   */
  ids(page: {
    readonly limit: number
    readonly cursor?: string
  }): Promise<{ readonly ids: readonly string[]; readonly nextCursor?: string }>
  /**
   * Changes name and time zone, with the user's consent. It cannot change anything that a
   * person signs in with.
   * @throws `invalid_request` with each path, `not_found` for an unknown or disabled user.
   */
  changeProfile(userId: string, change: AccountProfileChange): Promise<AccountProfile>
}

/** The users, by id. Provided by the kernel. */
export const accountsService = defineServiceReference<Accounts>()('kernel.accounts')
