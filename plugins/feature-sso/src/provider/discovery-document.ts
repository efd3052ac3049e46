import type { Clock } from '@agent-service/sdk/services/clock'
import type { Fetch } from './bounded-fetch.js'

const keptMs = 3_600_000
const attempts = 2
const pauseMs = 250

/** What a provider says of itself, read when it is first needed. */
export interface DiscoveryDocument {
  /** The document at the address, at most an hour old. Callers beside each other share one reading; a failure is not kept. */
  read(address: string, options: RequestInit): Promise<string>
  /** Forgets it, where it turned out to be none. */
  forget(): void
}

/** Makes it. `signal` ends the wait between two attempts. */
export function createDiscoveryDocument(dependencies: {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly signal: AbortSignal
}): DiscoveryDocument {
  const { fetch, clock, signal } = dependencies
  let kept: { readonly text: string; readonly readAt: number } | undefined
  let reading: Promise<string> | undefined

  const readOnce = async (address: string, options: RequestInit): Promise<string> => {
    const response = await fetch(address, options)
    if (response.status !== 200) throw new TypeError(`The identity provider answered its discovery with ${response.status}.`)
    return response.text()
  }
  const readAgain = async (address: string, options: RequestInit): Promise<string> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const text = await readOnce(address, options)
        kept = { text, readAt: clock.monotonic() }
        return text
      } catch (error) {
        if (attempt === attempts || options.signal?.aborted || signal.aborted) throw error
        await clock.wait(pauseMs, { signal })
      }
    }
  }

  return {
    read(address, options) {
      if (kept && clock.monotonic() - kept.readAt < keptMs) return Promise.resolve(kept.text)
      reading ??= readAgain(address, options).finally(() => {
        reading = undefined
      })
      return reading
    },
    forget() {
      kept = undefined
    },
  }
}
