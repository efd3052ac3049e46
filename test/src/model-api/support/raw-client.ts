import { request as httpRequest } from 'node:http'

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** The `error` object, if there is one. */
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string } | undefined
}

/** What a request has besides its path. */
export interface WireRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends a request exactly as it is written: `fetch` would normalise the path, and forbids headers of preflights. */
export const sendRaw = (url: string, path: string, { method = 'GET', headers = {}, body }: WireRequest = {}): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, error: errorIn(text) })
      })
    })
    request.on('error', reject)
    request.end(body)
  })

function errorIn(text: string): WireAnswer['error'] {
  if (!text.startsWith('{')) return undefined
  return (JSON.parse(text) as Pick<WireAnswer, 'error'>).error
}
