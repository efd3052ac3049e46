import path from 'node:path'
import { commandLine } from '@agent-service/kernel-accounts/audit'
import { databaseLockedError } from '@agent-service/kernel-core/database'
import { backUpDatabase, restoreDatabase } from '../backups/index.js'
import { prepare } from '../composition/prepare.js'
import type { Outcome, OutputOptions } from './command-action.js'
import type { Invocation } from './invocation.js'
import { noteCommand } from './note-command.js'
import { withServiceData } from './service-data.js'

const progressIntervalMs = 1_000

/**
 * Copies the database into an empty folder while the service is stopped. A running service makes
 * its own copies: POST /api/admin/backups.
 */
export async function backUp(invocation: Invocation, folder: string, options: OutputOptions): Promise<Outcome> {
  const { terminal, workingDirectory } = invocation
  const target = path.resolve(workingDirectory, folder)
  try {
    await withServiceData(invocation, async ({ database, services }) => {
      let shownAt = 0
      await backUpDatabase(database, target, {
        signal: new AbortController().signal,
        progress(done, total) {
          if (options.json === true || total === 0 || Date.now() - shownAt < progressIntervalMs) return
          shownAt = Date.now()
          terminal.line(`${Math.floor((done / total) * 100)} %`)
        },
      })
      await services.audit.note({ kind: 'backup.created', actor: commandLine('backup'), subjectId: null, details: { path: target } })
    })
  } catch (error) {
    if (databaseLockedError.isInstance(error))
      terminal.problem('The service is running. Back up with POST /api/admin/backups (as an admin), or stop it first.')
    throw error
  }
  return { json: { path: target }, lines: [`The backup is in ${target}.`] }
}

/** Restores a backup. The database must not exist yet. */
export async function restore(invocation: Invocation, folder: string): Promise<Outcome> {
  const { workingDirectory, installation, environment } = invocation
  const from = path.resolve(workingDirectory, folder)
  const { configuration } = await prepare({ ...installation, environment, workingDirectory })
  const to = configuration.database.path
  await restoreDatabase({ from, path: to })
  await noteCommand(invocation, 'restore', { kind: 'backup.restored', subjectId: null, details: { from, to } })
  return { json: { path: to }, lines: [`Restored the backup to ${to}.`] }
}
