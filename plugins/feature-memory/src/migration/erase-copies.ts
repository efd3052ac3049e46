import { defineError, type Logger } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import type { Slots } from '@agent-service/sdk/services/slots'
import type { MemoryCalls } from '../backend/memory-calls.js'
import { limits } from '../common/limits.js'
import type { MigrationStore } from './migration-store.js'

/** A back end that does not run still has memories of a user who is erased. */
export const memoryRemainsError = defineError<{ readonly backends: readonly string[] }>({
  code: 'memory_remains',
  status: 503,
  title: 'Memories remain',
  message: ({ backends }) =>
    `Memories of the user are still stored in ${backends.map((id) => `“${id}”`).join(', ')}, which cannot run now; all others are erased. It is tried again until it works: install or enable the plugin.`,
})

/** What a user is erased with in back ends that may not run. */
export interface EraseDependencies {
  readonly store: Pick<MigrationStore, 'current' | 'leftIn'>
  readonly slots: Slots
  readonly inUse: string
  readonly callsOf: (backend: string) => MemoryCalls
  readonly log: Logger
}

/**
 * Erases a user in the back ends to which memories were copied, or in which they were left, also while
 * those do not run: each is started for it. The service calls again after a failure, also after a restart.
 *
 * @throws `memory_remains` if one cannot be started, the signal's reason.
 */
export async function eraseCopies(dependencies: EraseDependencies, userId: string, signal: AbortSignal): Promise<void> {
  const { store, inUse } = dependencies
  const migration = await store.current()
  const left = await store.leftIn(userId)
  const isOpen = migration !== undefined && migration.state !== 'done'
  const copies = new Set([
    ...(isOpen ? [migration.from, migration.to, ...(migration.replaced ?? [])] : []),
    ...(left === undefined ? [] : [left]),
  ])
  copies.delete(inUse)
  await eraseIn([...copies], dependencies, userId, signal)
}

/**
 * Removes what a copy under way has brought of users after they were erased. Call it while nothing is
 * copied. @throws as `eraseCopies`.
 */
export async function settleErasures(
  dependencies: EraseDependencies & { readonly store: Pick<MigrationStore, 'lateErasures' | 'settleErasure' | 'forgetUser'> },
  signal: AbortSignal,
): Promise<void> {
  const { store } = dependencies
  for await (const { id: userId, backends } of store.lateErasures()) {
    await eraseIn(backends, dependencies, userId, signal)
    await store.forgetUser(userId)
    await store.settleErasure(userId)
  }
}

async function eraseIn(
  backends: readonly string[],
  { slots, inUse, callsOf, log }: Omit<EraseDependencies, 'store'>,
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  const remaining: string[] = []
  for (const id of backends) {
    try {
      const release = id === inUse ? undefined : await abortable(slots.standby({ point: memoryBackends.id, key: id }), signal)
      try {
        await callsOf(id).call({ what: 'erase', signal, limitMs: limits.transferMs }, (backend, limited) =>
          backend.erase(userId, { signal: limited }),
        )
      } finally {
        await release?.()
      }
    } catch (error) {
      signal.throwIfAborted()
      log.warn('Memories of a user who is erased remain in a back end.', { user: userId, backend: id, error })
      remaining.push(id)
    }
  }
  if (remaining.length > 0) throw memoryRemainsError.create({ backends: remaining })
}
