import type { Clock } from '@agent-service/sdk/services/clock'
import type { Fetch } from './bounded-fetch.js'

const maxAgeMs = 3_600_000
const maxAttempts = 2
const pauseMs = 250

/** The discovery document of a provider, read on first use. */
export interface DiscoveryDocument {
  /**
   * The document at the address, at most an hour old. Concurrent callers share one request;
   * failures are not cached.
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
    if (response.status !== 200) throw new TypeError(`The identity provider responded to discovery with ${response.status}.`)
    return response.text()
  }
  const readWithRetry = async (address: string, options: RequestInit): Promise<string> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const text = await readOnce(address, options)
        cached = { text, readAt: clock.monotonic() }
        return text
      } catch (error) {
        if (attempt === maxAttempts || options.signal?.aborted || signal.aborted) throw error
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
