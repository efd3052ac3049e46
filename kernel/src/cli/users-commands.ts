import { commandLine } from '../audit/audit-records.js'
import { accountUnknownError } from './errors.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { withOfflineService } from './offline.js'
import { tableLines } from './table.js'
import { askSecret } from './terminal.js'

const instead = 'Set AGENT_SERVICE_PASSWORD, or write it to standard input.'

/** Makes an account, whatever the registration rules say: who can write the data folder may. */
export async function usersCreateCommand(
  input: Invocation & { readonly name: string; readonly options: { readonly role: 'user' | 'admin'; readonly json?: boolean } },
): Promise<number> {
  const { terminal, name, options } = input
  const password = await newPassword(input, name)
  return withOfflineService(input, async ({ services }) => {
    const { user } = await services.auth.accounts.create(
      { username: name, password, role: options.role },
      { trusted: true, mayBeFirst: true },
      (transaction, { id, username, role }) => {
        const actor = commandLine('users create')
        services.audit.record(transaction, { kind: 'account.created', actor, subjectId: id, after: { username, role } })
      },
    )
    const { id, username, role } = user
    terminal.line(options.json === true ? JSON.stringify({ id, username, role }) : `The account ${username} was made (${role}).`)
    return exitStatus.done
  })
}

/** Lists every account. */
export async function usersListCommand(input: Invocation & { readonly options: { readonly json?: boolean } }): Promise<number> {
  const { terminal, options } = input
  return withOfflineService(input, async ({ services }) => {
    const accounts: { readonly id: string; readonly username: string; readonly role: string; readonly created_at: string }[] = []
    let cursor: string | undefined
    do {
      const page = await services.auth.accounts.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      accounts.push(...page.items.map(({ id, username, role, created_at }) => ({ id, username, role, created_at })))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    if (options.json === true) terminal.line(JSON.stringify({ items: accounts }, null, 2))
    else {
      const rows = accounts.map((account) => [account.username, account.role, account.created_at, account.id])
      for (const line of tableLines([['USERNAME', 'ROLE', 'SINCE', 'ID'], ...rows])) terminal.line(line)
    }
    return exitStatus.done
  })
}

/** Gives an account another password. All of its sessions end. */
export async function usersResetPasswordCommand(
  input: Invocation & { readonly name: string; readonly options: { readonly json?: boolean } },
): Promise<number> {
  const { terminal, name, options } = input
  const password = await newPassword(input, name)
  return withOfflineService(input, async ({ services: { auth } }) => {
    const user = await auth.accounts.findByLogin(name)
    if (!user) throw accountUnknownError.create({ name })
    const { id, username } = await auth.administration.change(user.id, { password }, commandLine('users reset-password'))
    const told = `The password of ${username} was changed, and all sessions of the account have ended.`
    terminal.line(options.json === true ? JSON.stringify({ id, username }) : told)
    return exitStatus.done
  })
}

/** Never from an argument: those are seen by everybody on the machine. */
const newPassword = async ({ terminal, environment }: Invocation, name: string): Promise<string> =>
  environment['AGENT_SERVICE_PASSWORD'] ?? (await askSecret(terminal, `Password for ${name}:`, { instead }))
