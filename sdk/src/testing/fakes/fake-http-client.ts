import { type HttpClient, type HttpClientRequest, type HttpClientResponse, httpConnectionError } from '../../services/http-client.js'

/** A test's answer to a request. */
export interface FakeHttpAnswer {
  /** Default 200. */
  readonly status?: number
  /** With lower-case names. Default none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default empty. */
  readonly body?: string | Uint8Array
}

/** A network that a test controls. */
export interface FakeHttpClient extends HttpClient {
  /** Every request so far, oldest first. */
  readonly requests: readonly HttpClientRequest[]
  /** Sets the answers from now on; undefined: the connection fails. */
  respond(answer: (request: HttpClientRequest) => FakeHttpAnswer | undefined): void
}

/** Every request without an answer of the test is a failed connection. */
export function createFakeHttpClient(): FakeHttpClient {
  const requests: HttpClientRequest[] = []
  let answer: (request: HttpClientRequest) => FakeHttpAnswer | undefined = () => undefined
  const request: HttpClient['request'] = async (sent, { signal }): Promise<HttpClientResponse> => {
    signal.throwIfAborted()
    requests.push(sent)
    const found = answer(sent)
    if (found === undefined)
      throw httpConnectionError.create({ host: new URL(sent.url).host, reason: 'the test has no answer to this request; call respond.' })
    const { status = 200, headers = {}, body = '' } = found
    return { status, headers, url: sent.url, redirects: 0, body: typeof body === 'string' ? new TextEncoder().encode(body) : body }
  }
  return {
    requests,
    respond(next) {
      answer = next
    },
    request,
    async stream(sent, options) {
      const { body, ...head } = await request(sent, options)
      return { ...head, body: pieceOf(body), close: () => Promise.resolve() }
    },
  }
}

/** A body as a stream of one piece. */
export async function* pieceOf(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (body.length > 0) yield body
}
