import { Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import { chatTemporaryError, transcriptTooLongError } from '@agent-service/sdk/services/chats'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type PolicyService, requireOperation } from '@agent-service/sdk/services/policy'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { shareForbiddenError } from '../common/shared-files.js'
import type { Minter, ShareService } from '../minting/share-service.js'
import type { UseCounts } from '../opening/use-counts.js'
import { newShareSchema, shareInputSchema, shareSchema, viewOfNewShare, viewOfShare } from './share-schemas.js'

const tags = ['shares']

/** What people do with their links. */
export function createShareRoutes(dependencies: {
  readonly service: ShareService
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly clock: Pick<Clock, 'now'>
  readonly uses: Pick<UseCounts, 'flush'>
}): readonly HttpRoute[] {
  const { service, policies, clock, uses } = dependencies
  return [
    defineRoute({
      method: 'POST',
      path: '/api/shares',
      operationId: 'createShare',
      summary: 'Share a file or a chat by a link',
      description:
        'Everyone with the link can read it without a sign-in until `expires_at`, which never changes: a file as it is then, a chat as it is now. The answer has the link; the service keeps only its hash, so it cannot be shown again. Sharing a file amounts to `getFileContent`, sharing a chat to `exportChat`.',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      body: { kind: 'json', schema: shareInputSchema, example: { path: 'files/report.pdf' } },
      errors: [notFoundError, shareForbiddenError, transcriptTooLongError, chatTemporaryError, quotaExceededError],
      answers: { 201: { description: 'The link.', schema: newShareSchema } },
      async handle({ body, signal, ...request }) {
        const { path, chat_id: chatId, expires_in_secs: expiresInSeconds } = body
        const userId = ownerOf(request)
        const minter: Minter = { userId, createdBy: 'person', signal, ...(expiresInSeconds !== undefined && { expiresInSeconds }) }
        if (path !== undefined && chatId === undefined) {
          await requireOperation(policies, { userId, operation: 'getFileContent', signal })
          return created(viewOfNewShare(await service.shareFile(minter, path), clock.now()))
        }
        if (chatId === undefined || path !== undefined) throw oneTargetError()
        await requireOperation(policies, { userId, operation: 'exportChat', signal })
        return created(viewOfNewShare(await service.shareChat(minter, chatId), clock.now()))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/shares',
      operationId: 'listShares',
      summary: 'List the caller’s links',
      description: 'The newest first. The links themselves are not in the list: they are shown once.',
      tags,
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'A page of links.', schema: pageSchema(shareSchema) } },
      async handle({ query, ...request }) {
        await uses.flush()
        const { items, next_cursor } = await service.list(ownerOf(request), query)
        return ok({ items: items.map((share) => viewOfShare(share, clock.now())), next_cursor })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/shares/{share_id}',
      operationId: 'revokeShare',
      summary: 'Revoke a link',
      description: 'From this moment on the link does not work.',
      tags,
      auth: 'user',
      params: Type.Object({ share_id: Type.String({ minLength: 1, maxLength: 100 }) }),
      errors: [notFoundError],
      answers: { 204: { description: 'Revoked.' } },
      async handle({ params, ...request }) {
        if (!(await service.revoke(ownerOf(request), params.share_id))) throw notFoundError.create({ what: 'link' })
        return noContent()
      },
    }),
  ]
}

/** The caller's user id. Every route here needs a user, so the host never calls without. */
function ownerOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}

const oneTargetError = (): Error =>
  invalidRequestError.create({ where: 'body' }, { problems: [{ path: '', message: 'must have one of “path” and “chat_id”' }] })
