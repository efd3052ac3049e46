import type { JsonObject } from '@agent-service/sdk'
import { tableLines } from '../terminal/table.js'
import { type ApiClient, createApiClient } from './api-client.js'
import type { Outcome } from './command-action.js'
import type { Invocation } from './invocation.js'
import type { RemoteOptions } from './options.js'
import { readItems } from './read-items.js'
import { serviceUrl } from './service-url.js'
import { signIn } from './sign-in.js'

/** Lists the personal access tokens of the person who signs in, the latest first. */
export async function listTokens(invocation: Invocation, options: RemoteOptions): Promise<Outcome> {
  const items = await readItems(await signedIn(invocation, options), '/api/auth/tokens')
  const rows = items.map(({ id, name, prefix, scopes, expires_at, last_used_at }) => [
    ...[String(id), String(name), `${String(prefix)}…`, (scopes as readonly string[]).join(',')],
    ...[shownDay(expires_at, 'never'), shownDay(last_used_at, 'never')],
  ])
  return {
    json: { items },
    lines: tableLines([['ID', 'NAME', 'TOKEN', 'SCOPES', 'EXPIRES', 'LAST USED'], ...rows], {
      columns: invocation.terminal.columns(),
      whole: ['ID'],
    }),
  }
}

/** Creates a token. It is printed alone on standard output, this once. */
export async function createToken(
  invocation: Invocation,
  name: string,
  options: RemoteOptions & { readonly scopes?: readonly string[]; readonly expiresInDays?: number; readonly json?: boolean },
): Promise<Outcome> {
  const client = await signedIn(invocation, options)
  const created = (await client.request('POST', '/api/auth/tokens', {
    name,
    ...(options.scopes === undefined ? {} : { scopes: [...options.scopes] }),
    ...(options.expiresInDays === undefined ? {} : { expires_in_days: options.expiresInDays }),
  })) as JsonObject
  const scopes = (created['scopes'] as readonly string[]).join(', ')
  const ends = shownDay(created['expires_at'], 'is revoked')
  return {
    json: created,
    lines: [String(created['token'])],
    notes:
      options.json === true
        ? []
        : [`This token is shown only now. It permits ${scopes}, until it ${ends === 'is revoked' ? ends : `expires on ${ends}`}.`],
  }
}

/** Revokes a token. */
export async function revokeToken(invocation: Invocation, id: string, options: RemoteOptions): Promise<Outcome> {
  const client = await signedIn(invocation, options)
  await client.request('DELETE', `/api/auth/tokens/${encodeURIComponent(id)}`)
  return { json: { id, revoked: true }, lines: ['The token is invalid from now on.'] }
}

async function signedIn(invocation: Invocation, { url, username }: RemoteOptions): Promise<ApiClient> {
  const { terminal, environment } = invocation
  const client = createApiClient(await serviceUrl(invocation, url))
  await client.request('GET', '/api/version')
  await signIn(client, terminal, environment, { mayRegister: false, ...(username === undefined ? {} : { username }) })
  return client
}

const shownDay = (time: unknown, otherwise: string): string => (typeof time === 'string' ? time.slice(0, 10) : otherwise)
