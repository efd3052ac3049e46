import type { JsonObject } from '@agent-service/sdk'
import { ask, type Terminal } from '../terminal/terminal.js'
import type { ApiClient } from './api-client.js'
import { serviceProblemError } from './errors.js'

const instead = 'Set AGENT_SERVICE_TOKEN to an access token, or AGENT_SERVICE_USERNAME and AGENT_SERVICE_PASSWORD.'

/**
 * Signs in to the service: with the token or the name and password from the environment, otherwise
 * by prompting. If the service does not know the name and password, offers on a terminal to create
 * the account. What needs a confirmed session asks for the password once more, unless it is in the
 * environment. The signal ends the questions.
 */
export async function signIn(
  client: ApiClient,
  terminal: Terminal,
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly username?: string; readonly mayRegister: boolean; readonly signal?: AbortSignal },
): Promise<string> {
  const token = environment['AGENT_SERVICE_TOKEN']
  if (token) {
    client.setToken(token)
    return usernameOf(await client.request('GET', '/api/auth/me'))
  }
  const asking = { instead, ...(options.signal === undefined ? {} : { signal: options.signal }) }
  const username = options.username || environment['AGENT_SERVICE_USERNAME'] || (await ask(terminal, 'Username:', asking))
  const password = environment['AGENT_SERVICE_PASSWORD'] || (await ask(terminal, 'Password:', { secret: true, ...asking }))
  const answer = await loginOrRegister(
    client,
    terminal,
    { username: username.trim(), password },
    { ...asking, mayRegister: options.mayRegister },
  )
  const accessToken = answer['access_token']
  if (typeof accessToken !== 'string') throw new Error('The service answered the sign-in without an access token.')
  client.setToken(accessToken)
  client.setConfirmation(async () => {
    const given =
      environment['AGENT_SERVICE_PASSWORD'] || (await ask(terminal, 'This needs your password once more:', { secret: true, ...asking }))
    await client.request('POST', '/api/auth/confirm', { password: given })
  })
  return usernameOf(answer['user'] ?? null)
}

async function loginOrRegister(
  client: ApiClient,
  terminal: Terminal,
  credentials: { readonly username: string; readonly password: string },
  { mayRegister, ...asking }: { readonly mayRegister: boolean; readonly instead: string; readonly signal?: AbortSignal },
): Promise<JsonObject> {
  try {
    return (await client.request('POST', '/api/auth/login', credentials)) as JsonObject
  } catch (error) {
    if (!serviceProblemError.isInstance(error) || error.details['code'] !== 'invalid_credentials' || !mayRegister || !terminal.interactive)
      throw error
    const answer = await ask(
      terminal,
      `The service does not know that name and password. Create the account “${credentials.username}” with them? (y/N)`,
      asking,
    )
    if (!/^y(es)?$/i.test(answer.trim())) throw error
    return (await client.request('POST', '/api/auth/register', credentials)) as JsonObject
  }
}

function usernameOf(user: unknown): string {
  return typeof user === 'object' && user !== null && 'username' in user && typeof user.username === 'string' ? user.username : 'you'
}
