import { Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  type Principal,
} from '@agent-service/sdk/contracts/http-route'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { FileAccess } from '../../files/file-access.js'
import { checkedUserPath, contentPath, userPathSchema } from '../../files/file-routes.js'
import { type UserPath, userPathText } from '../../files/user-path.js'
import { unauthenticatedError } from '../../http/errors.js'
import { timestamp } from '../records/timestamps.js'
import type { PresignedUrls } from './presigned-urls.js'

function ownerOf(principal: Principal | undefined): string {
  if (!principal) throw unauthenticatedError.create({})
  return principal.userId
}

/** The target of a file's content. Slashes stay as they are: some proxies rewrite their escapes, and the very bytes are signed. */
const targetOf = (place: UserPath): string => `${contentPath}?path=${encodeURIComponent(userPathText(place)).replaceAll('%2F', '/')}`

/** URLs to the caller's files for whoever gets them. */
export function createPresignRoutes(dependencies: {
  readonly presignedUrls: PresignedUrls
  readonly fileAccess: Pick<FileAccess, 'open'>
  readonly urls: Pick<Urls, 'api'>
}): readonly HttpRoute[] {
  const { presignedUrls, fileAccess, urls } = dependencies
  return [
    defineRoute({
      method: 'POST',
      path: '/api/files/presign',
      operationId: 'presignFile',
      summary: 'Make a URL to one of the caller’s files that works by itself',
      description:
        'Whoever has the URL can download the file, as it is then, until `expires_at`. Made with a token that ends earlier, it ends with the token.',
      tags: ['files'],
      auth: 'user',
      actors: actorKinds,
      includes: ['getFileContent'],
      // It hands out what the credential can read, and changes nothing.
      scope: 'read',
      body: {
        kind: 'json',
        schema: Type.Object({
          path: userPathSchema,
          method: Type.Optional(
            Type.Union([Type.Literal('GET'), Type.Literal('HEAD')], { description: 'Default: GET, which is good for HEAD too.' }),
          ),
        }),
        limit: 64 * 1024,
      },
      answers: {
        200: {
          description: 'The URL.',
          schema: Type.Object({
            id: Type.String({ description: 'What ends it early.' }),
            url: Type.String(),
            expires_at: Type.String(),
          }),
        },
      },
      async handle({ principal, body, signal }) {
        if (!principal) throw unauthenticatedError.create({})
        const place = checkedUserPath(body.path, 'body')
        const file = await fileAccess.open(principal, place, { signal })
        if (!file) throw notFoundError.create({ what: 'file' })
        await file.handle.close()
        const made = await presignedUrls.create(principal, { method: body.method ?? 'GET', target: targetOf(place) })
        return ok({ id: made.id, url: urls.api(made.target), expires_at: timestamp(made.expiresAt) })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/files/presign/{presign_id}',
      operationId: 'revokePresignedUrl',
      summary: 'End a pre-signed URL',
      description: 'It counts no more from the next request on; a download that runs is cut off.',
      tags: ['files'],
      auth: 'user',
      params: Type.Object({ presign_id: Type.String() }),
      answers: { 204: { description: 'The URL has ended.' } },
      async handle({ principal, params, address }) {
        await presignedUrls.revoke(ownerOf(principal), params.presign_id, address)
        return noContent()
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/files/presign',
      operationId: 'revokePresignedUrls',
      summary: 'End all of the caller’s pre-signed URLs',
      tags: ['files'],
      auth: 'user',
      answers: { 204: { description: 'All of them have ended.' } },
      async handle({ principal, address }) {
        await presignedUrls.revokeAll(ownerOf(principal), address)
        return noContent()
      },
    }),
  ]
}
