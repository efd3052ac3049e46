import { createSingleFlight } from '@agent-service/sdk/async'
import type { MemoryPass, MemorySweep } from '@agent-service/sdk/contracts/memory-backend'
import type { Agents } from '@agent-service/sdk/services/agents'
import { passCollection } from '../store/pass-records.js'
import { claimPass } from './claim-pass.js'
import { passView, prunePasses, retryPass } from './finished-passes.js'
import type { PassDependencies } from './pass-dependencies.js'
import { dueUsers, noteNextDue } from './queue.js'
import { runPass } from './run-pass.js'

/** Of a sweep, as the contract has them. */
export interface SweepOptions {
  readonly signal: AbortSignal
  readonly changed?: (userId: string) => Promise<void>
}

/** Learns from chats in the background. */
export interface Consolidation {
  /** `changed` is told of each user after their pass. A sweep that joins another one does not tell again. */
  sweep(options: SweepOptions): Promise<MemorySweep>
  passes(
    userId: string,
    options: { readonly limit: number; readonly cursor?: string; readonly signal: AbortSignal },
  ): Promise<{ readonly items: readonly MemoryPass[]; readonly nextCursor?: string }>
  retry(id: string, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<boolean>
}

/** How many users one sweep looks at. */
const maxUsers = 50

/**
 * Each sweep gives every user who is due at most one pass, those that have waited longest first, so
 * that the many chats of one keep no other waiting.
 */
export function createConsolidation(dependencies: PassDependencies & { readonly agents: Agents }): Consolidation {
  const { database, settings } = dependencies
  const sweeps = createSingleFlight<'sweep', MemorySweep>()
  return {
    sweep: (options) => sweeps.run('sweep', () => sweep(dependencies, options)),
    async passes(userId, { limit, cursor, signal }) {
      signal.throwIfAborted()
      const query = {
        index: 'by_user',
        equals: [userId],
        order: 'descending' as const,
        limit: Math.min(200, limit),
        ...(cursor !== undefined && { cursor }),
      }
      const page = await database.collection(passCollection).query(query)
      return { items: page.items.map(passView), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
    },
    retry: (id, options) => retryPass(dependencies, id, options),
  }

  async function sweep(parts: PassDependencies & { readonly agents: Agents }, options: SweepOptions): Promise<MemorySweep> {
    const { signal } = options
    signal.throwIfAborted()
    const due = await dueUsers(parts, maxUsers)
    const waiting = [...due]
    const worker = async (): Promise<void> => {
      for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
        signal.throwIfAborted()
        await workFor(parts, userId, options)
      }
    }
    const workers = Math.min(settings.pkm_consolidation_concurrency, due.length)
    const settled = await Promise.allSettled(Array.from({ length: workers }, worker))
    signal.throwIfAborted()
    for (const each of settled) if (each.status === 'rejected') throw each.reason
    const [next] = await dueUsers(parts, 1)
    return { users: due.length, more: next !== undefined }
  }
}

/** Looks at one user. A fault with one does not keep the others waiting. */
async function workFor(
  parts: PassDependencies & { readonly agents: Agents },
  userId: string,
  { signal, changed }: SweepOptions,
): Promise<void> {
  let progressed = false
  const before = await parts.memories.revisionOf(userId)
  try {
    const claimed = await claimPass(parts, userId, { signal })
    progressed = claimed.progressed
    if (claimed.pass) {
      await runPass(parts, claimed.pass, { signal })
      await prunePasses(parts, userId, { keep: parts.settings.pkm_consolidation_keep_records, signal })
    }
  } catch (error) {
    signal.throwIfAborted()
    progressed = false
    parts.log.error('The memories of a user could not be consolidated.', { userId, error })
  } finally {
    if (changed && (await parts.memories.revisionOf(userId)) !== before) await changed(userId)
  }
  await noteNextDue(parts, userId, { progressed })
}
