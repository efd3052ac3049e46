import type { VaultConnection, VaultConnector } from '@agent-service/sdk/contracts/vault-connector'
import { createBitwardenConnector } from '../connector.js'
import { createPlainHttpClient } from './plain-http-client.js'
import type { TestServer } from './test-server.js'
import { createWaitingLimit } from './waiting-limit.js'

/** A connector outside a kernel, with short times. */
export function createTestConnector({
  now = () => performance.now(),
  ca,
}: {
  readonly now?: () => number
  readonly ca?: string
} = {}): VaultConnector {
  const http = createPlainHttpClient(ca === undefined ? {} : { ca })
  const limits = { headersMs: 3_000, totalMs: 10_000 }
  return createBitwardenConnector({ http, work: createWaitingLimit(), writes: createWaitingLimit(), now, date: Date.now, limits }).connector
}

/** A connection of the deployment to the account of a server. */
export const connectionTo = ({ url, account }: TestServer, members: Readonly<Record<string, string>> = {}): VaultConnection => ({
  id: `connection of ${account.email}`,
  origin: 'system',
  members: {
    ...{ client_id: `user.${account.id}`, client_secret: account.clientSecret, master_password: account.password, server_url: url },
    ...members,
  },
})

export const never: { readonly signal: AbortSignal } = { signal: new AbortController().signal }

/** What a promise is rejected with; fails if it is not. */
export async function failureOf(
  promise: Promise<unknown> | undefined,
): Promise<Error & { readonly code?: string; readonly details?: unknown }> {
  try {
    await promise
  } catch (error) {
    return error as Error & { readonly code?: string }
  }
  throw new Error('It succeeded.')
}
