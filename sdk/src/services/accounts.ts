import { defineServiceReference } from '../core/service-reference.js'

/** A user as features see it. */
export interface Account {
  /** Never changes and is never given again. */
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

/** Looks up users. */
export interface Accounts {
  /** `undefined` for an unknown or disabled user. */
  get(userId: string): Promise<Account | undefined>
}

/** The users, by id. Provided by the kernel. */
export const accountsService = defineServiceReference<Accounts>('kernel.accounts')
