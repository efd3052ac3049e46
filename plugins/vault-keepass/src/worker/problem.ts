import { type Failure, vault } from '../protocol.js'

/**
 * An error of the contract, for `failureOf`. The thread loads nothing of the SDK, which would take
 * longer than most of its jobs.
 */
export const problem = (code: string, details: Failure['details']): Error => Object.assign(new Error(code), { failure: { code, details } })

/** The file cannot be read; `reason` is for people and holds nothing of its content. */
export const invalid = (reason: string): Error => problem('vault_content_invalid', { vault, reason })

export const itemNotFound = (id: string, deleted: boolean): Error => problem('vault_item_not_found', { id, deleted })

export const wrongCredentials = (): Error => problem('vault_unauthorized', { vault, reason: 'wrong' })

/** What a library says may quote the content, so its kind alone is given on. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Error && 'failure' in error) return error.failure as Failure
  const kind = error instanceof Error ? error.name : 'unknown'
  return { code: 'vault_content_invalid', details: { vault, reason: `it is damaged, or in a form that is not known (${kind})` } }
}
