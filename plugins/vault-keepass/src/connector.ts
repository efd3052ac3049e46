import { ServiceError } from '@agent-service/sdk'
import {
  defineVaultConnector,
  type VaultConnection,
  type VaultConnector,
  type VaultFile,
  vaultConflictError,
  vaultConnectionInvalidError,
  vaultRateLimitedError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { createKeyCache } from './key-cache.js'
import { members, unlockingOf } from './members.js'
import { type Job, type KeyCostLimits, type Outcomes, vault } from './protocol.js'
import { runWork } from './run-work.js'
import type { WorkThreads } from './work-threads.js'

const mebi = 1_024

/** What the files of users may cost; any of them may be hostile. */
export const userLimits: KeyCostLimits = {
  maxMemoryKiB: 256 * mebi,
  maxMemoryPassesKiB: 8 * mebi * mebi,
  maxRounds: 300_000_000,
}

/** What an administrator's own file may cost. */
export const systemLimits: KeyCostLimits = {
  maxMemoryKiB: mebi * mebi,
  maxMemoryPassesKiB: 16 * mebi * mebi,
  maxRounds: 600_000_000,
}

const maxKeys = 1_000
const maxIdleMs = 10 * 60_000

/** What the connector needs. */
export interface KeePassOptions {
  /** Of jobs at a time, by connection. */
  readonly jobs: Limit
  readonly threads: WorkThreads
  /** Monotonic, in milliseconds. */
  readonly now: () => number
}

/** The connector with the keys that it keeps, which `clear` forgets. */
export function createKeePassConnector({ jobs, threads, now }: KeePassOptions): {
  readonly connector: VaultConnector
  readonly clear: () => void
} {
  const keys = createKeyCache({ maxKeys, maxIdleMs, now })

  const open = async <Kind extends keyof Outcomes>(
    connection: VaultConnection,
    job: Job & { readonly kind: Kind },
    { signal }: { readonly signal: AbortSignal },
  ): Promise<{ readonly outcome: Outcomes[Kind]; readonly file: VaultFile; readonly version: string }> => {
    signal.throwIfAborted()
    const file = fileOf(connection)
    const unlocking = unlockingOf(connection)
    const place = await jobs.acquire(`vault:${connection.id}`, 1, { signal }).catch(busy)
    try {
      const { bytes, version } = await file.read({ signal })
      const derivedKey = job.kind === 'test' ? undefined : keys.get(connection.id)
      const limits = connection.origin === 'system' ? systemLimits : userLimits
      const work = { bytes, ...unlocking, limits, ...(derivedKey === undefined ? {} : { derivedKey }), job }
      const done = await runWork<Kind>(threads, work, { signal })
      keys.set(connection.id, done.derivedKey)
      return { outcome: done.outcome, file, version }
    } finally {
      place.release()
    }
  }

  const connector = defineVaultConnector({
    id: 'keepass',
    title: 'KeePass',
    connection: members,
    file: 'path',
    test: async (connection, call) => (await open(connection, { kind: 'test' }, call)).outcome,
    list: async (connection, query, call) => (await open(connection, { kind: 'list', query }, call)).outcome,
    read: async (connection, id, call) => (await open(connection, { kind: 'read', id }, call)).outcome,
    async write(connection, item, call) {
      const { outcome, file, version } = await open(connection, { kind: 'write', item }, call)
      await file.write(outcome.bytes, { version, signal: call.signal }).catch(whatChanged)
      return outcome.item
    },
    close: async (id) => keys.forget(id),
  })
  return { connector, clear: keys.clear }
}

function fileOf({ file }: VaultConnection): VaultFile {
  if (file === undefined) throw vaultConnectionInvalidError.create({ member: 'path', reason: 'names no file' })
  return file
}

/** The file is written as a whole, so any change of it is a conflict. */
function whatChanged(error: unknown): never {
  throw vaultConflictError.isInstance(error) ? vaultConflictError.create({ what: 'The database' }, { cause: error }) : error
}

/** Too many calls wait for their turn. */
function busy(error: unknown): never {
  if (!ServiceError.isInstance(error)) throw error
  const { retryAfterSeconds } = error
  throw vaultRateLimitedError.create(
    { vault, ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1_000 }) },
    { cause: error },
  )
}
