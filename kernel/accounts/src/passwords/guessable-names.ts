/** What the service is called, which is tried for every account. */
const serviceNames: readonly string[] = ['agent-service', 'agent_service', 'agent service', 'agentservice']

/** From this length on a name must not stand in a password at all. A shorter one is part of too many words. */
const minNameLength = 4

/** Whose password it is to be. */
export interface PasswordOwner {
  readonly username: string
  /** Where it may differ from the username. */
  readonly handle?: string
  readonly email: string | null
}

/**
 * Whether a password can be guessed from who has it and where: it contains the name of the service, or the username, the handle or the part of
 * the e-mail address before the “@” where that has four characters or more; or it is little else than one of them, however short and in whichever case.
 */
export function isGuessableFromNames(password: string, { username, handle, email }: PasswordOwner): boolean {
  const text = password.toLowerCase()
  const own = [username, handle, email?.split('@', 1)[0]].filter((name) => name !== undefined && name !== '')
  const names = [...serviceNames, ...own.map((name) => String(name).toLowerCase())]
  if (names.some((name) => name.length >= minNameLength && text.includes(name))) return true
  const rest = names.reduce((left, name) => left.replaceAll(name, ''), text)
  return rest !== text && rest.replace(/[^\p{L}\p{N}]/gu, '').length < minNameLength
}
