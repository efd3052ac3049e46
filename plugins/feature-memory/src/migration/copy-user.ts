import type { MemoryCalls } from '../backend/memory-calls.js'
import { limits } from '../common/limits.js'
import { digestOf, type ExportDigest } from './digest.js'

/** The two back ends of a migration. */
export interface MigrationEnds {
  readonly source: MemoryCalls
  readonly target: MemoryCalls
}

/** The result of copying one user. */
export interface CopiedUser {
  /**
   * `copied`: both have the same. `changing`: the memories changed in each round, so there is a copy
   * of an earlier state. `differs`: the target does not give back what it got.
   */
  readonly outcome: 'copied' | 'changing' | 'differs'
  /** Of the source's export, as it is in the target now; empty unless it is copied. */
  readonly digest: string
  readonly records: number
  /** Whether anything had to be copied. */
  readonly wasCopied: boolean
}

/** How often a user whose memories change meanwhile is copied again at once. */
const maxRounds = 5

/**
 * Makes the target have exactly the memories of the source, and compares both. What is there of an
 * earlier copy gives way, so one that was forgotten or rewritten meanwhile does not come back.
 * `known`: the digest of an earlier copy, which is left alone while it fits.
 */
export async function copyUser(
  { source, target }: MigrationEnds,
  { userId, known, signal }: { readonly userId: string; readonly known: string | undefined; readonly signal: AbortSignal },
): Promise<CopiedUser> {
  const exportOf = (calls: MemoryCalls) =>
    calls.stream({ what: 'export', signal }, (backend, limited) => backend.export(userId, { signal: limited }))
  const first = await digestOf(exportOf(source))
  if (known === first.full) return { outcome: 'copied', digest: first.full, records: first.records, wasCopied: false }
  const transfer = { signal, limitMs: limits.transferMs }
  let before: ExportDigest = first
  for (let round = 0; round < maxRounds; round += 1) {
    await target.call({ what: 'erase', ...transfer }, (backend, limited) => backend.erase(userId, { signal: limited }))
    if (before.records > 0)
      await target.call({ what: 'import', ...transfer }, (backend, limited) =>
        backend.import(userId, exportOf(source), { signal: limited }),
      )
    const copied = await digestOf(exportOf(target))
    const after = await digestOf(exportOf(source))
    if (after.full === before.full) {
      const isSame = copied.records === after.records && copied.kept === after.kept
      return { outcome: isSame ? 'copied' : 'differs', digest: isSame ? after.full : '', records: after.records, wasCopied: true }
    }
    before = after
  }
  return { outcome: 'changing', digest: '', records: before.records, wasCopied: true }
}
