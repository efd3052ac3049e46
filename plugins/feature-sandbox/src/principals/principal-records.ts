import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, defineCollection, documentsOf } from '@agent-service/sdk/services/database'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { principalName } from './principal-name.js'
import type { SetAsideWorkspaces } from './set-aside-workspaces.js'

/** A principal that has run code, so that the driver can release what it keeps of it. */
export type PrincipalRecord = {
  /** Its name for the driver. */
  readonly id: string
  readonly user_id: string
  readonly kind: SandboxPrincipal['kind']
  readonly principal_id: string
}

export const principalCollection = defineCollection<PrincipalRecord>()({
  name: 'sandbox.principals',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

const maxKnown = 10_000
const pageSize = 100

/** The principals that have run code. */
export interface PrincipalRecords {
  /** Stores one, before its first process runs. */
  note(principal: SandboxPrincipal): Promise<void>
  /** Those of a user; of all users without one. */
  list(userId?: string): AsyncIterable<PrincipalRecord>
  remove(id: string): Promise<void>
}

export function createPrincipalRecords(database: Database): PrincipalRecords {
  const known = new Set<string>()
  return {
    async note(principal) {
      const { userId, kind, id } = principal
      const name = principalName(principal)
      if (known.has(name)) return
      await database.transaction(async (transaction) => {
        if ((await transaction.get(principalCollection, name)) === undefined)
          transaction.insert(principalCollection, { id: name, user_id: userId, kind, principal_id: id })
      })
      if (known.size >= maxKnown) known.clear()
      known.add(name)
    },
    list: (userId) =>
      documentsOf(database, principalCollection, { index: 'by_user', equals: userId === undefined ? [] : [userId], pageSize }),
    async remove(id) {
      known.delete(id)
      await database.transaction(async (transaction) => {
        if ((await transaction.get(principalCollection, id)) !== undefined) transaction.delete(principalCollection, id)
      })
    },
  }
}

/** Export, erasure and size of what is stored of a user's principals. `end` ends and releases one. */
export function createSandboxUserData(
  records: PrincipalRecords,
  end: (record: PrincipalRecord, signal: AbortSignal) => Promise<void>,
  forgetOutput: (userId: string) => void,
  setAsideWorkspaces: SetAsideWorkspaces,
): UserData {
  const all = async (userId: string): Promise<readonly PrincipalRecord[]> => {
    const own: PrincipalRecord[] = []
    for await (const record of records.list(userId)) own.push(record)
    return own
  }
  const endAll = async (userId: string, signal: AbortSignal): Promise<void> => {
    for (const record of await all(userId)) {
      signal.throwIfAborted()
      await end(record, signal)
    }
    forgetOutput(userId)
  }
  return {
    specVersion: 1,
    id: 'sandbox',
    collections: [principalCollection.name],
    shownBy: ['listProcesses', 'getProcess', 'getAgentSandbox'],
    async *export(userId, { signal }) {
      for await (const { kind, principal_id: id } of records.list(userId)) {
        signal.throwIfAborted()
        yield { path: `sandbox/${kind}-${id}.json`, json: { kind, id } }
      }
    },
    erase: (userId, { signal }) => endAll(userId, signal),
    async handOver(userId, { signal, name }) {
      await endAll(userId, signal)
      return setAsideWorkspaces(userId, name)
    },
    async size(userId) {
      const own = await all(userId)
      return { records: own.length, bytes: own.reduce((sum, record) => sum + JSON.stringify(record).length, 0) }
    },
  }
}
