import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Account, Accounts, WaitingPerson } from '@agent-service/sdk/services/accounts'
import type { UserRecord } from '../records/records.js'
import type { AccountChanges } from './account-changes.js'
import type { UserAccounts } from './user-accounts.js'

/** The accounts as features see them. `timezone` is the server's, for users without one. */
export function createAccountDirectory(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get' | 'admins' | 'list'>
  readonly requests: {
    list(page: { readonly limit: number }): Promise<{ readonly items: readonly WaitingPerson[] }>
    watch(listener: (person: WaitingPerson) => void): () => void
  }
  readonly changes: Pick<AccountChanges, 'changeProfile'>
  readonly hasSession: Accounts['hasSession']
  readonly timezone: string
}): Accounts {
  const { accounts, requests, changes, hasSession, timezone } = dependencies
  const accountOf = ({ id, username, handle, role, timezone: zone }: UserRecord): Account => ({
    ...{ id, username, handle, role, timezone: zone ?? timezone },
  })
  return {
    async get(userId) {
      const user = await accounts.get(userId)
      return user && !user.disabled ? accountOf(user) : undefined
    },
    async contact(userId) {
      const user = await accounts.get(userId)
      if (!user || user.disabled) return undefined
      const isConfirmed = user.email_verified_at !== null
      return {
        email: isConfirmed ? user.email : null,
        hasUnconfirmedEmail: user.email !== null && !isConfirmed,
        name: user.name,
        ...(user.language != null && { language: user.language }),
      }
    },
    hasSession,
    admins: async () => (await accounts.admins()).filter(({ disabled }) => !disabled).map(accountOf),
    waiting: async () => (await requests.list({ limit: 200 })).items.map(({ id, username }) => ({ id, username })),
    watchWaiting: (listener) => requests.watch(listener),
    async ids({ limit, cursor }) {
      const page = await accounts.list({ limit, ...(cursor !== undefined && { cursor }) })
      return { ids: page.items.map(({ id }) => id), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
    },
    async changeProfile(userId, change) {
      const user = await accounts.get(userId)
      if (!user || user.disabled) throw notFoundError.create({ what: 'user' })
      // Only these members: anything else that a caller passes is ignored.
      const { name, timezone: zone } = change
      const wanted = { ...(name === undefined ? {} : { name }), ...(zone === undefined ? {} : { timezone: zone }) }
      const changed = await changes.changeProfile(userId, wanted, noAddress)
      return { name: changed.name, timezone: changed.timezone ?? timezone }
    },
  }
}

/**
 * There is no request. The address is only noted for changes of the e-mail address, which are not
 * possible here.
 */
const noAddress = ''
