import type { FetchRequest, FetchResponse } from './messages.js'

/** Sends a request and resolves with what came of it; undefined when it failed. */
export type Carry = (request: FetchRequest) => Promise<FetchResponse | undefined>

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * A `fetch` without a network of its own: what it is asked for goes through the guarded client of
 * the service.
 */
export function createBridgedFetch(carry: Carry): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { url, method, headers } = request
    const body = new Uint8Array(await request.arrayBuffer())
    const answer = await carry({ url, method, headers: Object.fromEntries(headers), ...(body.length === 0 ? {} : { body }) })
    if (answer === undefined) throw new TypeError('fetch failed')
    const { status } = answer
    const response = new Response(withoutBody.has(status) ? null : new Uint8Array(answer.body), { status, headers: { ...answer.headers } })
    // The SDK's core ends the whole thread over an answer without an address.
    return Object.defineProperty(response, 'url', { value: answer.url })
  }
}
