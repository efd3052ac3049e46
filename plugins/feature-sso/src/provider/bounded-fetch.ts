import { readBytes } from '@agent-service/sdk/async'

const maxAnswerBytes = 1024 * 1024

/** The part of `fetch` that is needed here. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>

/**
 * `fetch` for what an identity provider answers: whole, of at most 1 MiB, without following redirects, and only from addresses that are allowed. Ends with
 * the signal. @throws a `TypeError` for everything else.
 */
export function createBoundedFetch(options: { readonly isAllowed: (url: URL) => boolean; readonly signal: AbortSignal }): Fetch {
  return async (address, request) => {
    if (!options.isAllowed(new URL(address))) throw new TypeError('The identity provider names an address that is not https.')
    const signal = request.signal ? AbortSignal.any([request.signal, options.signal]) : options.signal
    const response = await fetch(address, { ...request, redirect: 'manual', signal })
    const bytes = await readAll(response)
    return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: response.headers })
  }
}

async function readAll({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!body) return new Uint8Array()
  const tooLarge = (): Error => new TypeError(`The identity provider answered with more than ${maxAnswerBytes} bytes.`)
  return new Uint8Array(await readBytes(body as AsyncIterable<Uint8Array>, { maxBytes: maxAnswerBytes, tooLarge }))
}
