import { readBytes } from '@agent-service/sdk/async'

const maxResponseBytes = 1024 * 1024

/** The part of `fetch` that is needed here. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>

/**
 * `fetch` for an identity provider: complete responses of at most 1 MiB, without following
 * redirects, only from allowed addresses. Ends with the signal. @throws a `TypeError` for
 * everything else.
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
  const tooLarge = (): Error => new TypeError(`The response of the identity provider has more than ${maxResponseBytes} bytes.`)
  return new Uint8Array(await readBytes(body as AsyncIterable<Uint8Array>, { maxBytes: maxResponseBytes, tooLarge }))
}
