import type { Clock } from '@agent-service/sdk/services/clock'
import type { Fetch } from './bounded-fetch.js'
import { ProviderSetUpError } from './issuer.js'

const maxAgeMs = 3_600_000
const maxAttempts = 2
const pauseMs = 250

/** The discovery document of a provider, read on first use. */
export interface DiscoveryDocument {
  /**
   * The document at the address, at most an hour old. Concurrent callers share one request;
   * failures are not cached. @throws {@link ProviderSetUpError} if there is none at the address.
   */
  read(address: string, options: RequestInit): Promise<string>
  /** Drops it, if it turned out to be invalid. */
  forget(): void
}

/** `signal` ends the wait between two attempts. */
export function createDiscoveryDocument(dependencies: {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly signal: AbortSignal
}): DiscoveryDocument {
  const { fetch, clock, signal } = dependencies
  let cached: { readonly text: string; readonly readAt: number } | undefined
  let reading: Promise<string> | undefined

  const readOnce = async (address: string, options: RequestInit): Promise<string> => {
    const response = await fetch(address, options)
    if (response.status === 200) return response.text()
    const problem = problemWith(response, address)
    throw problem ?? new TypeError(`The identity provider responded to discovery with ${response.status}.`)
  }
  const readWithRetry = async (address: string, options: RequestInit): Promise<string> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const text = await readOnce(address, options)
        cached = { text, readAt: clock.monotonic() }
        return text
      } catch (error) {
        if (attempt === maxAttempts || options.signal?.aborted || signal.aborted || error instanceof ProviderSetUpError) throw error
        await clock.wait(pauseMs, { signal })
      }
    }
  }

  return {
    read(address, options) {
      if (cached && clock.monotonic() - cached.readAt < maxAgeMs) return Promise.resolve(cached.text)
      reading ??= readWithRetry(address, options).finally(() => {
        reading = undefined
      })
      return reading
    },
    forget() {
      cached = undefined
    },
  }
}

/** Too many requests and time-outs pass; other refusals mean the address. */
const passing: ReadonlySet<number> = new Set([408, 425, 429])

function problemWith({ status, headers }: Response, address: string): ProviderSetUpError | undefined {
  if (status >= 300 && status < 400) {
    const location = headers.get('location') ?? ''
    const target = URL.canParse(location, address) ? new URL(location, address) : undefined
    const where = target === undefined ? 'elsewhere' : `to “${target.origin}${target.pathname}”`
    return new ProviderSetUpError(`“${address}” redirects ${where}. Set sso.authority to the issuer as the provider names it itself.`)
  }
  if (status < 400 || status >= 500 || passing.has(status)) return undefined
  return new ProviderSetUpError(
    `“${address}” answers ${status}, and not with a description of the provider. Check the path of sso.authority, also upper and lower case (Keycloak has /auth before /realms up to version 16).`,
  )
}
