import { createReadStream } from 'node:fs'
import { namedObject, Type } from '@agent-service/sdk'
import {
  accepted,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  type Principal,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import { backupBusyError } from '../errors.js'
import type { StoredBackup } from '../runs/backup-folder.js'
import { backupSchema, statusSchema, verificationSchema } from './backup-schemas.js'
import { type RouteParts, viewOfBackup, viewOfStatus, viewOfVerification } from './backup-views.js'

const tags = ['administration']
const params = Type.Object({ backup_id: Type.String({ minLength: 1, maxLength: 100, examples: ['2026-11-21T03-56-42.271Z'] }) })
const defaultLimit = 50

/** The routes of administrators. */
export function createBackupRoutes(parts: RouteParts & { readonly audit: Pick<Audit, 'note'> }): readonly HttpRoute[] {
  return [...createRunRoutes(parts), ...createStoredRoutes(parts)]
}

const actorOf = ({ principal, address }: { readonly principal?: Principal; readonly address: string }) =>
  principal ? { actor: { userId: principal.userId, address } } : {}

function createRunRoutes(parts: RouteParts): readonly HttpRoute[] {
  const { runner, folder } = parts
  return [
    defineRoute({
      method: 'POST',
      path: '/api/admin/backups',
      operationId: 'createBackup',
      summary: 'Back up the whole service while it runs',
      description:
        'Database, users’ files, state documents, shared skills and ontologies and the configuration, in one file that is verified. The encryption secret is not in it. With `wait`, the answer comes at the end, and the backup is cancelled if the client goes away.',
      tags,
      auth: 'admin',
      query: Type.Object({
        wait: Type.Optional(
          Type.Boolean({ default: true, description: 'Wait for the end. Otherwise follow `/api/admin/backups/status`.' }),
        ),
      }),
      errors: [backupBusyError],
      answers: {
        201: { description: 'The backup.', schema: backupSchema },
        202: { description: 'It was begun.', schema: namedObject('BegunBackup', { id: Type.String() }) },
      },
      async handle(request) {
        if (request.query.wait === false) return accepted({ id: await runner.start({ trigger: 'request', ...actorOf(request) }) })
        const { id } = await runner.run({ trigger: 'request', signal: request.signal, ...actorOf(request) })
        const stored = await folder.find(id)
        if (!stored) throw notFoundError.create({ what: 'backup' })
        return created(await viewOfBackup(stored, parts))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/backups/status',
      operationId: 'getBackupStatus',
      summary: 'Get the state of backups',
      description: 'What is being made, the last run, the newest verified backup, schedule and retention.',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'The state.', schema: statusSchema } },
      handle: async () => ok(await viewOfStatus(parts)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/backups/cancel',
      operationId: 'cancelBackup',
      summary: 'Cancel the backup or verification that is running',
      description: 'Nothing is left of a cancelled backup. Does nothing if none is running.',
      tags,
      auth: 'admin',
      answers: {
        200: { description: 'Whether one was cancelled.', schema: namedObject('CancelledBackup', { cancelled: Type.Boolean() }) },
      },
      handle: async () => ok({ cancelled: await runner.cancel() }),
    }),
  ]
}

function createStoredRoutes(parts: RouteParts & { readonly audit: Pick<Audit, 'note'> }): readonly HttpRoute[] {
  const { runner, folder, audit } = parts
  const found = async (id: string): Promise<StoredBackup> => {
    const stored = await folder.find(id)
    if (!stored) throw notFoundError.create({ what: 'backup' })
    return stored
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/backups',
      operationId: 'listBackups',
      summary: 'List the backups, newest first',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(backupSchema) } },
      async handle({ query: { limit = defaultLimit, cursor } }) {
        const all = await folder.list()
        const rest = cursor === undefined ? all : all.filter(({ id }) => id < cursor)
        const page = rest.slice(0, limit)
        return ok({
          items: await Promise.all(page.map((stored) => viewOfBackup(stored, parts))),
          next_cursor: rest.length > limit ? (page.at(-1)?.id ?? null) : null,
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/backups/{backup_id}',
      operationId: 'getBackup',
      summary: 'Get a backup',
      tags,
      auth: 'admin',
      params,
      errors: [notFoundError],
      answers: { 200: { description: 'The backup.', schema: backupSchema } },
      handle: async (request) => ok(await viewOfBackup(await found(request.params.backup_id), parts)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/backups/{backup_id}/content',
      operationId: 'downloadBackup',
      summary: 'Download a backup',
      description: 'Everything that all users have: keep it as safe as the service itself.',
      tags,
      auth: 'admin',
      confirmed: true,
      changes: true,
      params,
      errors: [notFoundError],
      answers: { 200: { description: 'The file.', contentType: 'application/x-tar', example: 'backup.json' } },
      async handle(request) {
        const stored = await found(request.params.backup_id)
        await audit.note({ kind: 'backup.downloaded', subject: stored.id, details: { path: stored.path } })
        return {
          ...{ status: 200, kind: 'stream', contentType: 'application/x-tar', length: stored.bytes },
          headers: { 'content-disposition': `attachment; filename="agent-service-${stored.id}.tar"`, 'x-content-type-options': 'nosniff' },
          stream: createReadStream(stored.path, { signal: request.signal, end: Math.max(0, stored.bytes - 1) }),
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/backups/{backup_id}/verify',
      operationId: 'verifyBackup',
      summary: 'Verify a backup completely',
      description:
        'Checks every byte and its proof of origin, opens its database in a temporary folder, and looks for each file to which messages refer.',
      tags,
      auth: 'admin',
      params,
      errors: [notFoundError, backupBusyError],
      answers: { 200: { description: 'What was found.', schema: verificationSchema } },
      async handle(request) {
        const { id } = await found(request.params.backup_id)
        const verification = await runner.verify(id, { signal: request.signal })
        await audit.note({ kind: 'backup.verified', subject: id, details: { sound: verification.sound, proof: verification.proof } })
        return ok(viewOfVerification(verification))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/backups/{backup_id}',
      operationId: 'deleteBackup',
      summary: 'Delete a backup',
      tags,
      auth: 'admin',
      confirmed: true,
      params,
      errors: [notFoundError, backupBusyError],
      answers: { 204: { description: 'It is gone.' } },
      async handle(request) {
        const { id, bytes } = await found(request.params.backup_id)
        await runner.remove(id)
        await audit.note({ kind: 'backup.deleted', subject: id, before: { bytes } })
        return noContent()
      },
    }),
  ]
}
