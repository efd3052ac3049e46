import { unauthenticatedError } from '@agent-service/kernel-core/http'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { PresignedUrls } from './presigned-urls.js'

function ownerOf(principal: Principal | undefined): string {
  if (!principal) throw unauthenticatedError.create({})
  return principal.userId
}

/** The routes that revoke pre-signed URLs. Plugins create the URLs to their own routes. */
export function createPresignRoutes({ presignedUrls }: { readonly presignedUrls: PresignedUrls }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/api/files/presign/{presign_id}',
      operationId: 'revokePresignedUrl',
      summary: 'Revoke a pre-signed URL',
      description: 'It is invalid from the next request on; a running download is cut off.',
      tags: ['files'],
      auth: 'user',
      params: Type.Object({ presign_id: Type.String() }),
      answers: { 204: { description: 'The URL was revoked.' } },
      async handle({ principal, params, address }) {
        await presignedUrls.revoke(ownerOf(principal), params.presign_id, address)
        return noContent()
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/files/presign',
      operationId: 'revokePresignedUrls',
      summary: 'Revoke all of the caller’s pre-signed URLs',
      tags: ['files'],
      auth: 'user',
      answers: { 204: { description: 'All of them were revoked.' } },
      async handle({ principal, address }) {
        await presignedUrls.revokeAll(ownerOf(principal), address)
        return noContent()
      },
    }),
  ]
}
