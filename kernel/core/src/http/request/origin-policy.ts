import type { IncomingMessage } from 'node:http'

export type OriginPolicy = ReturnType<typeof createOriginPolicy>

/**
 * What an origin may do, from the configured addresses and the comma-separated list of origins.
 * Origins are compared as a whole; only a listed origin is repeated in a response.
 */
export function createOriginPolicy(options: {
  readonly corsOrigins: string | undefined
  readonly ownUrls: readonly (string | undefined)[]
}) {
  const cors = new Set((options.corsOrigins ?? '').split(',').flatMap((text) => originOf(text.trim()) ?? []))
  const own = new Set(options.ownUrls.flatMap((url) => (url === undefined ? [] : (originOf(url) ?? []))))
  return {
    /** The request's origin, if it is listed in `server.cors_origins`. */
    corsOrigin(request: IncomingMessage): string | undefined {
      const { origin } = request.headers
      return origin !== undefined && cors.has(origin) ? origin : undefined
    },
    /** Whether a change that only a cookie authenticates is permitted. */
    allowsCookieChange(request: IncomingMessage): boolean {
      const { origin, host } = request.headers
      const site = request.headers['sec-fetch-site']
      if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none'
      if (cors.has(origin) || own.has(origin)) return true
      const from = originOf(origin)
      return from !== undefined && host !== undefined && new URL(from).host === host.toLowerCase()
    },
  }
}

/** The origin of an http(s) URL; `undefined` for anything else, also for `null`. */
function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, origin } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined
}
