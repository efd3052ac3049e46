import type { VaultConnection, VaultConnector, VaultFile } from '@agent-service/sdk/contracts/vault-connector'
import { createKeePassConnector } from '../connector.js'
import { createWorkThreads } from '../work-threads.js'
import { testPassword } from './make-database.js'
import { createWaitingLimit } from './waiting-limit.js'

/** All tests of a file share them: a new thread takes longer than most jobs. */
const threads = createWorkThreads()

/** A connector outside a kernel. */
export const createTestConnector = (): VaultConnector =>
  createKeePassConnector({ jobs: createWaitingLimit(), threads, now: () => performance.now() }).connector

/** A connection of a user to a file. */
export const connectionTo = (file: VaultFile, members: Readonly<Record<string, string>> = { password: testPassword }): VaultConnection => ({
  id: 'connection-1',
  origin: 'user',
  members: { path: 'passwords.kdbx', ...members },
  file,
})

export const never: { readonly signal: AbortSignal } = { signal: new AbortController().signal }

/** What a promise is rejected with; fails if it is not. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await promise
  } catch (error) {
    return error as Error & { readonly code?: string }
  }
  throw new Error('It succeeded.')
}
