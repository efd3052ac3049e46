import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { UserAccounts } from './user-accounts.js'

/** The accounts as features see them. `timezone` is the server's, for users who have set none. */
export function createAccountDirectory(dependencies: { readonly accounts: UserAccounts; readonly timezone: string }): Accounts {
  const { accounts, timezone } = dependencies
  return {
    async get(userId) {
      const user = await accounts.get(userId)
      if (!user || user.disabled) return undefined
      const { id, username, handle, role } = user
      return { id, username, handle, role, timezone: user.timezone ?? timezone }
    },
  }
}
