import type { Principal } from '../contracts/http-route/principal.js'
import { defineServiceReference } from '../core/service-reference.js'

/** What a pre-signed URL is for. */
export interface PresignRequest {
  /** `GET` is good for `HEAD` too, `HEAD` for nothing else. */
  readonly method: 'GET' | 'HEAD'
  /**
   * Path and query of a route that is `presignable`, byte by byte as it will be requested, without
   * the parameter `presign`.
   */
  readonly target: string
}

/** A URL that works without further credentials, for anyone who has it. */
export interface PresignedUrl {
  /** What ends the URL early: `DELETE /api/files/presign/{id}`. */
  readonly id: string
  /** At the public address of the service. A secret: never in a log. */
  readonly url: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * URLs that act for their owner for one purpose, for `auth.presign_expiry_secs` at most. They end
 * early with the owner's sessions if all of those end together, and with the token that made them.
 *
 * @example
 * const urls = context.use(presignedUrlsService)
 * const share = (principal: Principal) =>
 *   urls.create(principal, { method: 'GET', target: '/api/plugins/notes/export?format=zip' })
 */
export interface PresignedUrls {
  /**
   * Makes one for the caller. Whether the caller may have what the URL leads to is for the plugin
   * to decide, here and in the route that answers. @throws `unauthenticated` when the account is
   * deleted, `forbidden` when the caller's token has expired.
   */
  create(principal: Principal, request: PresignRequest): Promise<PresignedUrl>
}

/** Pre-signed URLs. Provided by the kernel. */
export const presignedUrlsService = defineServiceReference<PresignedUrls>()('kernel.presigned-urls')
