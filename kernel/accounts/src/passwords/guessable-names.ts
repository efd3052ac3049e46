/** The names of the service, which attackers try for every account. */
const serviceNames: readonly string[] = ['agent-service', 'agent_service', 'agent service', 'agentservice']

/**
 * From this length on, a password must not contain a name. Shorter ones are part of too many words.
 */
const minNameLength = 4

/** The owner of a password. */
export interface PasswordOwner {
  readonly username: string
  /** Set if it may differ from the username. */
  readonly handle?: string
  readonly email: string | null
}

/**
 * Whether a password can be guessed from its owner and the service: it contains the name of the
 * service, or the username, the handle or the part of the e-mail address before the “@”, if that
 * has four characters or more; or it is little more than one of them, however short. Ignores case.
 */
export function isGuessableFromNames(password: string, { username, handle, email }: PasswordOwner): boolean {
  const text = password.toLowerCase()
  const own = [username, handle, email?.split('@', 1)[0]].filter((name) => name !== undefined && name !== '')
  const names = [...serviceNames, ...own.map((name) => String(name).toLowerCase())]
  if (names.some((name) => name.length >= minNameLength && text.includes(name))) return true
  const rest = names.reduce((left, name) => left.replaceAll(name, ''), text)
  return rest !== text && rest.replace(/[^\p{L}\p{N}]/gu, '').length < minNameLength
}
