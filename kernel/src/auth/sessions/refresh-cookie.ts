import { refreshCookieName } from '../../http/request/credentials.js'

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
  const attributes = `Path=/; HttpOnly; Secure; SameSite=${options.crossSite ? 'None' : 'Lax'}`
  return {
    set(token, expiresAt) {
      const seconds = Math.max(0, Math.floor((expiresAt - options.now()) / 1000))
      return `${refreshCookieName}=${token}; Max-Age=${seconds}; ${attributes}`
    },
    clear: () => `${refreshCookieName}=; Max-Age=0; ${attributes}`,
  }
}
