import type { IncomingMessage } from 'node:http'
import { isAppOrigin } from './app-origin.js'

export type OriginPolicy = ReturnType<typeof createOriginPolicy>

/**
 * What an origin may do, from the configured addresses and the comma-separated list of origins.
 * Origins are compared as a whole; only a listed origin is repeated in a response.
 */
export function createOriginPolicy(options: {
  readonly corsOrigins: string | undefined
  readonly ownUrls: readonly (string | undefined)[]
}) {
  const listed = (options.corsOrigins ?? '').split(',').map((text) => text.trim())
  const web = new Set(listed.flatMap((text) => originOf(text) ?? []))
  const apps = new Set(listed.filter(isAppOrigin))
  const own = new Set(options.ownUrls.flatMap((url) => (url === undefined ? [] : (originOf(url) ?? []))))
  return {
    /** The request's origin, if it is listed in `server.cors_origins`. */
    corsOrigin(request: IncomingMessage): string | undefined {
      const { origin } = request.headers
      return origin !== undefined && (web.has(origin) || apps.has(origin)) ? origin : undefined
    },
    /** Whether a change that only a cookie authenticates is permitted. Apps and extensions have no such cookie. */
    allowsCookieChange(request: IncomingMessage): boolean {
      const { origin, host } = request.headers
      const site = request.headers['sec-fetch-site']
      if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none'
      if (web.has(origin) || own.has(origin)) return true
      const from = originOf(origin)
      return from !== undefined && host !== undefined && new URL(from).host === hostOf(from, host)
    },
  }
}

/**
 * `Host` as the given URL has it, if it names that host: without the scheme's default port, which proxies write out
 * (`$host:$server_port`) and browsers do not.
 */
export function hostOf(url: string, host: string): string {
  const port = /^https:/i.test(url) ? ':443' : ':80'
  const name = host.toLowerCase()
  return name.endsWith(port) ? name.slice(0, -port.length) : name
}

/** The origin of an http(s) URL; `undefined` for anything else, also for `null`. */
function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, origin } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined
}
