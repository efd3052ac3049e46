import { refreshCookieName } from '@agent-service/kernel-core/http/request'
import { serialize } from 'cookie'

/** How the refresh token is given to browsers. */
export interface RefreshCookie {
  /** The value of `Set-Cookie` that hands a token out until `expiresAt`, in milliseconds since 1970. */
  set(token: string, expiresAt: number): string
  /** The value of `Set-Cookie` that takes it back. */
  clear(): string
}

/**
 * `crossSite`: the pages are on another site than the API, so the cookie must go along with requests between sites; every change that it alone
 * authenticates is held to the allowed origins either way.
 */
export function createRefreshCookie(options: { readonly crossSite: boolean; readonly now: () => number }): RefreshCookie {
  const format = (token: string, maxAge: number): string =>
    serialize(refreshCookieName, token, { maxAge, path: '/', httpOnly: true, secure: true, sameSite: options.crossSite ? 'none' : 'lax' })
  return {
    set: (token, expiresAt) => format(token, Math.max(0, Math.floor((expiresAt - options.now()) / 1000))),
    clear: () => format('', 0),
  }
}
