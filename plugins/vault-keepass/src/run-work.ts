import type { ErrorDefinition } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import {
  vaultConflictError,
  vaultContentInvalidError,
  vaultCursorInvalidError,
  vaultItemNotFoundError,
  vaultUnauthorizedError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import { type DerivedKey, type Failure, type Outcomes, vault, type Work } from './protocol.js'
import type { WorkThreads } from './work-threads.js'

/** A file of the largest size with the costliest key that is permitted takes less. */
export const maxWorkMs = 60_000

/**
 * Runs one job in a thread, which ends at once when the signal is aborted. @throws what the job
 * throws, `vault_content_invalid` when it takes too much memory, `vault_unavailable` when it takes
 * too long, the signal's reason.
 */
export async function runWork<Kind extends keyof Outcomes>(
  threads: WorkThreads,
  work: Work & { readonly job: { readonly kind: Kind } },
  { signal, limitMs = maxWorkMs }: { readonly signal: AbortSignal; readonly limitMs?: number },
): Promise<{ readonly outcome: Outcomes[Kind]; readonly derivedKey: DerivedKey }> {
  const timedOut = (): Error => vaultUnavailableError.create({ vault, reason: `it took longer than ${limitMs / 1_000} s to open` })
  const answer = await withTimeLimit((ended) => threads.run<Kind>(work, { signal: ended }), { limitMs, signal, timedOut })
  if ('failure' in answer) throw errorOf(answer.failure)
  return answer
}

const definitions = [
  vaultConflictError,
  vaultContentInvalidError,
  vaultCursorInvalidError,
  vaultItemNotFoundError,
  vaultUnauthorizedError,
] as readonly ErrorDefinition<never>[]

/** The error of the contract that a thread reports. */
export function errorOf({ code, details }: Failure): Error {
  const definition = definitions.find((each) => each.code === code)
  if (definition) return definition.create(details as never)
  const cause = new Error(`The thread answered with “${code}”.`)
  return vaultUnavailableError.create({ vault, reason: 'the thread that opens it failed' }, { cause })
}
