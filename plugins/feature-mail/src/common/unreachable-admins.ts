import type { Accounts } from '@agent-service/sdk/services/accounts'

/** The names of administrators whom no e-mail reaches, such as an alarm of a backup. */
export async function unreachableAdmins(accounts: Pick<Accounts, 'contact' | 'admins'>): Promise<readonly string[]> {
  const names: string[] = []
  for (const { id, username } of await accounts.admins()) {
    const contact = await accounts.contact(id)
    if (contact && contact.email === null) names.push(username)
  }
  return names
}
