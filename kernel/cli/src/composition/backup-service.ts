import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { AuditLog } from '@agent-service/kernel-accounts/audit'
import { noActor } from '@agent-service/kernel-core/audit'
import type { Configuration } from '@agent-service/kernel-core/config'
import type { KernelDatabase } from '@agent-service/kernel-core/database'
import type { ProcessLeases } from '@agent-service/kernel-core/leases'
import type { JsonObject } from '@agent-service/sdk'
import type { DatabaseConnection, DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { Backups } from '@agent-service/sdk/services/backups'
import {
  type BackupSources,
  backupRunningError,
  makeBackup,
  partialBackupOf,
  readSummary,
  removePartialBackups,
  summaryOf,
  verifyBackup,
} from '../backups/index.js'
import type { Prepared } from './prepare.js'

const leaseName = 'kernel.backup'

/** The folder of backups, if no other one is chosen. */
export const backupFolderOf = ({ storage }: Configuration): string => join(storage.data_dir, 'system', 'backups')

/** What the backup of an installation is made of. */
export const backupSourcesOf = (
  { configuration, examination }: Pick<Prepared, 'configuration' | 'examination'>,
  { database, version }: { readonly database: KernelDatabase; readonly version: string },
): BackupSources => ({
  ...{ database, configuration: examination, serviceVersion: version, encryptionSecret: configuration.auth.encryption_secret },
  service: serviceNameOf(configuration),
  ...{
    dataFolder: configuration.storage.data_dir,
    skillsFolder: configuration.storage.skills_dir,
    ontologyFolder: configuration.storage.ontology_dir,
  },
})

/** The public address of the service, or else the name of its machine. */
const serviceNameOf = ({ server }: Configuration): string => {
  const url = server.backend_url ?? server.base_url ?? server.frontend_url
  return url === undefined ? hostname() : new URL(url).origin
}

/** Opens the copy of a database beside the one that is in use. */
export async function openCopy(
  driver: DatabaseDriver,
  folder: string,
  { configuration, log }: Pick<Prepared, 'configuration' | 'log'>,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  const settings = (configuration.plugins.settings[`database-${driver.id}`] ?? {}) as JsonObject
  return driver.open({ path: folder, settings, log: log.logger.child({ module: 'backups' }), signal })
}

/** Backups of the running service, one at a time in the deployment. */
export function createBackups(dependencies: {
  readonly prepared: Prepared
  readonly version: string
  readonly database: KernelDatabase
  readonly audit: Pick<AuditLog, 'note'>
  readonly leases: Pick<ProcessLeases, 'take' | 'release'>
  readonly driver: () => Promise<DatabaseDriver>
  readonly stopped: AbortSignal
}): Backups {
  const { prepared, version, database, audit, leases, stopped } = dependencies
  const sources = backupSourcesOf(prepared, { database, version })
  let isMaking = false

  const exclusively = async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    if (isMaking) throw backupRunningError.create({})
    isMaking = true
    try {
      const lease = await leases.take(leaseName)
      if (lease === 'held' || lease === 'done') throw backupRunningError.create({})
      try {
        return await work(lease.signal)
      } finally {
        await leases.release(leaseName)
      }
    } finally {
      isMaking = false
    }
  }

  return Object.freeze<Backups>({
    folder: backupFolderOf(prepared.configuration),
    create: ({ file, actor, signal, progress }) =>
      exclusively(async (held) => {
        const summary = await makeBackup(sources, file, { signal: AbortSignal.any([signal, held, stopped]), progress })
        const caller = actor ? { userId: actor.userId, address: actor.address ?? null } : noActor
        await audit.note({ kind: 'backup.created', actor: caller, subjectId: null, details: { path: file } })
        return summary
      }),
    async describe(file) {
      const found = await readSummary(file)
      return found && summaryOf(found.summary, found.bytes)
    },
    verify({ file, signal, progress }) {
      const ends = AbortSignal.any([signal, stopped])
      return verifyBackup(file, {
        encryptionSecret: sources.encryptionSecret,
        ...{ signal: ends, scratch: partialBackupOf(file, randomUUID()), ...(progress === undefined ? {} : { progress }) },
        async open(folder, name) {
          const driver = await dependencies.driver()
          if (driver.id !== name) throw new Error(`it was made with the driver ${name}, and this service uses ${driver.id}`)
          return openCopy(driver, folder, prepared, ends)
        },
      })
    },
    async removeLeftovers(folder) {
      if (!isMaking) await removePartialBackups(folder)
    },
  })
}
