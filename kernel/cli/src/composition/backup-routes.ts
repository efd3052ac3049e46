import path from 'node:path'
import type { AuditLog } from '@agent-service/kernel-accounts/audit'
import { actorOfRequest } from '@agent-service/kernel-core/audit'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { namedObject, Type } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { backUpDatabase } from '../backups/index.js'

/**
 * Backups of the running service. They are written below one folder of the service, never to a path
 * that a caller names.
 */
export function createBackupRoutes(dependencies: {
  readonly database: KernelDatabase
  readonly folder: string
  readonly audit: Pick<AuditLog, 'note'>
}): readonly HttpRoute[] {
  const { database, folder, audit } = dependencies
  return [
    defineRoute({
      method: 'POST',
      path: '/api/admin/backups',
      operationId: 'createBackup',
      summary: 'Copy the database while the service runs',
      description: 'The copy is consistent and has its own folder below `{storage.data_dir}/system/backups`.',
      tags: ['administration'],
      auth: 'admin',
      answers: {
        201: { description: 'The path of the copy.', schema: namedObject('Backup', { path: Type.String(), created_at: Type.String() }) },
      },
      async handle(request) {
        const createdAt = new Date().toISOString()
        const target = path.join(folder, createdAt.replaceAll(':', '-'))
        await backUpDatabase(database, target, { signal: request.signal, progress: () => undefined })
        await audit.note({ kind: 'backup.created', actor: actorOfRequest(request), subjectId: null, details: { path: target } })
        return created({ path: target, created_at: createdAt })
      },
    }),
  ]
}
