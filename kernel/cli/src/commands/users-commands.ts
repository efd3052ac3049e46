import type { Auth } from '@agent-service/kernel-accounts'
import { commandLine } from '@agent-service/kernel-accounts/audit'
import { tableLines } from '../terminal/table.js'
import { askSecret } from '../terminal/terminal.js'
import type { Outcome } from './command-action.js'
import { accountUnknownError, emailMissingError, noAccountYetError } from './errors.js'
import type { Invocation } from './invocation.js'
import { withServiceData } from './service-data.js'

const instead = 'Set AGENT_SERVICE_PASSWORD, or write it to standard input.'

/**
 * Creates an account regardless of the registration rules: write access to the data folder
 * suffices.
 */
export async function createUser(invocation: Invocation, name: string, options: { readonly role: 'user' | 'admin' }): Promise<Outcome> {
  const password = await newPassword(invocation, name)
  return withServiceData(
    invocation,
    async ({ services: { auth, audit } }) => {
      const { user } = await auth.accounts.create(
        { username: name, password, role: options.role },
        { trusted: true, mayBeFirst: true },
        (transaction, { id, username, role }) => {
          const actor = commandLine('users create')
          audit.record(transaction, { kind: 'account.created', actor, subjectId: id, after: { username, role } })
        },
      )
      const { id, username, role } = user
      return { json: { id, username, role }, lines: [`Created the account ${username} (${role}).`] }
    },
    { make: true },
  )
}

type StoredUser = NonNullable<Awaited<ReturnType<Auth['accounts']['get']>>>

const listed = ({ id, username, role, email, email_verified_at: verifiedAt, created_at }: StoredUser) => ({
  id,
  username,
  role,
  email,
  email_verified: verifiedAt !== null,
  created_at,
})

/** Lists every account. */
export async function listUsers(invocation: Invocation): Promise<Outcome> {
  return withServiceData(invocation, async ({ services: { auth } }) => {
    const items: ReturnType<typeof listed>[] = []
    let cursor: string | undefined
    do {
      const page = await auth.accounts.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      items.push(...page.items.map(listed))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    const rows = items.map(({ username, role, created_at, id }) => [username, role, created_at, id])
    return {
      json: { items },
      lines: tableLines([['USERNAME', 'ROLE', 'SINCE', 'ID'], ...rows], { columns: invocation.terminal.columns(), whole: ['ID'] }),
    }
  })
}

/** Sets a new password for an account. All of its sessions end. */
export async function resetPassword(invocation: Invocation, name: string): Promise<Outcome> {
  const password = await newPassword(invocation, name)
  return withServiceData(invocation, async ({ services: { auth } }) => {
    const user = await auth.accounts.findByLogin(name)
    if (!user) throw accountUnknownError.create({ name })
    const { id, username } = await auth.administration.change(user.id, { password }, commandLine('users reset-password'))
    return { json: { id, username }, lines: [`Changed the password of ${username} and ended all of its sessions.`] }
  })
}

/** Invites a person, as an admin does over HTTP. The link is printed alone on standard output, this once. */
export async function inviteUser(
  invocation: Invocation,
  options: { readonly role: 'user' | 'admin'; readonly expires?: number; readonly email?: string; readonly json?: boolean },
): Promise<Outcome> {
  return withServiceData(invocation, async ({ services: { auth } }) => {
    if (await auth.accounts.isEmpty()) throw noAccountYetError.create({})
    const { role, email, expires } = options
    const input = { role, ...(email === undefined ? {} : { email }), ...(expires === undefined ? {} : { expiresInHours: expires }) }
    const { record, link } = await auth.invitations.create(input, commandLine('users invite'))
    return {
      json: { id: record.id, role, email: record.email, expires_at: record.expires_at, link },
      lines: [link],
      notes:
        options.json === true
          ? []
          : [`This link is shown only now. It makes one account (${role}), once the service runs, until ${record.expires_at}.`],
    }
  })
}

/** Vouches for the e-mail address of an account, as an admin does over HTTP. */
export async function confirmEmail(invocation: Invocation, name: string): Promise<Outcome> {
  return withServiceData(invocation, async ({ services: { auth } }) => {
    const user = await auth.accounts.findByLogin(name)
    if (!user) throw accountUnknownError.create({ name })
    if (user.email === null) throw emailMissingError.create({ name: user.username })
    const { id, username, email } = await auth.administration.change(
      user.id,
      { email: user.email, emailVerified: true },
      commandLine('users confirm-email'),
    )
    return { json: { id, username, email }, lines: [`${email} is the confirmed e-mail address of ${username}.`] }
  })
}

/** Never from an argument: every user of the machine can see those. */
const newPassword = async ({ terminal, environment }: Invocation, name: string): Promise<string> =>
  environment['AGENT_SERVICE_PASSWORD'] ?? (await askSecret(terminal, `Password for ${name}:`, { instead }))
