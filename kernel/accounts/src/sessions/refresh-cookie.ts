import { refreshCookieName } from '@agent-service/kernel-core/http/request'
import { serialize } from 'cookie'

/** The cookie with the refresh token. */
export interface RefreshCookie {
  /** The value of `Set-Cookie` that sets a token until `expiresAt`, in milliseconds since 1970. */
  set(token: string, expiresAt: number): string
  /** The value of `Set-Cookie` that deletes it. */
  clear(): string
}

/**
 * `path`: the path below which browsers see the pages and the API, so that another service of the
 * same host neither gets the cookie nor replaces it. `crossSite`: the pages are on another site than
 * the API, so the cookie must be sent with requests between sites. Every change that only the cookie
 * authenticates is restricted to the allowed origins in any case.
 */
export function createRefreshCookie(options: {
  readonly path: string
  readonly crossSite: boolean
  readonly now: () => number
}): RefreshCookie {
  const format = (token: string, maxAge: number): string =>
    serialize(refreshCookieName, token, {
      maxAge,
      path: options.path,
      httpOnly: true,
      secure: true,
      sameSite: options.crossSite ? 'none' : 'lax',
    })
  return {
    set: (token, expiresAt) => format(token, Math.max(0, Math.floor((expiresAt - options.now()) / 1000))),
    clear: () => format('', 0),
  }
}
