import { defineServiceReference } from '../core/service-reference.js'

/** A user as features see it. */
export interface Account {
  readonly id: string
  readonly username: string
  /** The name of the user's folder; never changes. */
  readonly handle: string
  readonly role: 'admin' | 'user'
  /** The zone for this user: the profile's, else `server.timezone`, else the detected one. */
  readonly timezone: string
}

/** Looks up users. */
export interface Accounts {
  /** `undefined` for an unknown or disabled user. */
  get(userId: string): Promise<Account | undefined>
}

export const accountsService = defineServiceReference<Accounts>('kernel.accounts')
