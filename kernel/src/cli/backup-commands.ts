import path from 'node:path'
import { commandLine } from '../audit/audit-records.js'
import { prepare } from '../composition/prepare.js'
import { databaseLockedError, restoreDatabase } from '../database/index.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { noteCommand } from './note-command.js'
import { withOfflineService } from './offline.js'

interface FolderInput extends Invocation {
  readonly folder: string
  readonly options: { readonly json?: boolean }
}

/** Copies the database into an empty folder, while the service does not run. A running service makes its own copies: POST /api/admin/backups. */
export async function backupCommand(input: FolderInput): Promise<number> {
  const { terminal, workingDirectory, options } = input
  const target = path.resolve(workingDirectory, input.folder)
  try {
    await withOfflineService(input, async ({ database, services }) => {
      let told = 0
      await database.backup(target, {
        signal: new AbortController().signal,
        progress(done, total) {
          if (options.json === true || total === 0 || Date.now() - told < 1_000) return
          told = Date.now()
          terminal.line(`${Math.floor((done / total) * 100)} %`)
        },
      })
      await services.audit.note({ kind: 'backup.created', actor: commandLine('backup'), subjectId: null, details: { path: target } })
    })
  } catch (error) {
    if (databaseLockedError.isInstance(error)) {
      terminal.problem('The service is running. Ask it for a copy with POST /api/admin/backups (as an admin), or stop it first.')
    }
    throw error
  }
  terminal.line(options.json === true ? JSON.stringify({ path: target }) : `The backup is in ${target}.`)
  return exitStatus.done
}

/** Puts a backup back where there is no database yet. */
export async function restoreCommand(input: FolderInput): Promise<number> {
  const { terminal, workingDirectory, installation, environment, options } = input
  const from = path.resolve(workingDirectory, input.folder)
  const { configuration } = await prepare({ ...installation, environment, workingDirectory })
  await restoreDatabase({ from, path: configuration.database.path })
  await noteCommand(input, 'restore', { kind: 'backup.restored', subjectId: null, details: { from, to: configuration.database.path } })
  terminal.line(
    options.json === true
      ? JSON.stringify({ path: configuration.database.path })
      : `The backup was put back at ${configuration.database.path}.`,
  )
  return exitStatus.done
}
