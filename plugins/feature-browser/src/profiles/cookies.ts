import type { ProfileBrowser } from '../browsers/profile-browser.js'
import { limits } from '../common/limits.js'

/** A cookie as the protocol takes it. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite?: string
  /** Seconds since 1970. Absent: until the profile is forgotten. */
  readonly expires?: number
}

type FoundCookie = Cookie & { readonly expires: number; readonly session?: boolean }

/** The cookies of a profile, at most so many as are kept. */
export async function readCookies({ browser, context }: Pick<ProfileBrowser, 'browser' | 'context'>): Promise<readonly Cookie[]> {
  const { cookies } = await browser.send<{ readonly cookies: readonly FoundCookie[] }>('Storage.getCookies', context.named, {
    limitMs: 10_000,
  })
  const kept: Cookie[] = []
  let bytes = 0
  for (const { name, value, domain, path, secure, httpOnly, sameSite, expires, session } of cookies) {
    const cookie: Cookie = {
      ...{ name, value, domain, path, secure, httpOnly },
      ...(sameSite === undefined ? {} : { sameSite }),
      ...(session === true || expires <= 0 ? {} : { expires }),
    }
    bytes += Buffer.byteLength(JSON.stringify(cookie)) + 1
    if (bytes > limits.maxProfileBytes) break
    kept.push(cookie)
  }
  return kept
}

export async function writeCookies(
  { browser, context }: Pick<ProfileBrowser, 'browser' | 'context'>,
  cookies: readonly Cookie[],
): Promise<void> {
  if (cookies.length > 0) await browser.send('Storage.setCookies', { cookies, ...context.named })
}
