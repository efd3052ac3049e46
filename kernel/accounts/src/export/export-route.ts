import type { AuditNotes } from '@agent-service/kernel-core/audit'
import { onStreamEnd } from '@agent-service/sdk/async'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Quotas } from '@agent-service/sdk/services/quotas'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { callerOf } from '../routes/own-session.js'
import { accountEntries, type ExportSources } from './account-export.js'
import { zipStream } from './zip-stream.js'

/** How many accounts are exported at a time, each by itself. */
const maxExports = 8

/** `POST /api/users/me/export`: everything that the caller has, as one archive. */
export function createExportRoute(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly audit: AuditNotes
  readonly quotas: Quotas
  readonly sources: ExportSources
}): HttpRoute {
  const { accounts, audit, quotas, sources } = dependencies
  const exports = quotas.limit({ name: 'account-exports', counts: 'exports of an account', maxPerHolder: 1, maxTotal: maxExports })
  return defineRoute({
    method: 'POST',
    path: '/api/users/me/export',
    operationId: 'exportOwnAccount',
    summary: 'Download everything that the caller has',
    description:
      'A zip archive, made while it is sent: `account.json`, the records of each part under `data/`, files under `files/`, and at its end `manifest.json` with counts. Secrets are left out; of tokens and credentials there is what describes them. What could not be exported is named in the manifest, which then says `complete: false`, and the archive has `INCOMPLETE.txt`. An archive without its end is cut off: most programs refuse to open it. One export at a time (429 `limit_reached`); it ends when the client disconnects. Needs a confirmed session, so that a stolen token or a borrowed session cannot take everything at once.',
    tags: ['accounts'],
    auth: 'user',
    confirmed: true,
    rateClass: 'expensive',
    answers: { 200: { description: 'The archive.', contentType: 'application/zip' } },
    async handle({ principal, address, signal }) {
      const user = await callerOf(accounts, principal)
      const hold = exports.take(`user:${user.id}`)
      try {
        await audit.note({ kind: 'account.exported', actor: { userId: user.id, address }, subjectId: user.id })
      } catch (error) {
        hold.release()
        throw error
      }
      const day = new Date(sources.clock.now()).toISOString().slice(0, 10)
      return {
        status: 200,
        kind: 'stream',
        contentType: 'application/zip',
        headers: {
          'content-disposition': `attachment; filename="agent-service-${user.handle}-${day}.zip"`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        },
        stream: onStreamEnd(
          zipStream((ends) => accountEntries(user, sources, ends), signal),
          () => hold.release(),
        ),
      }
    },
  })
}
