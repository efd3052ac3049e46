import { unauthenticatedError } from '@agent-service/kernel-core/http'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { PresignedUrls } from './presigned-urls.js'

function ownerOf(principal: Principal | undefined): string {
  if (!principal) throw unauthenticatedError.create({})
  return principal.userId
}

/** What ends URLs that were given out. They are made by the plugins whose routes they lead to. */
export function createPresignRoutes({ presignedUrls }: { readonly presignedUrls: PresignedUrls }): readonly HttpRoute[] {
  return [
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
