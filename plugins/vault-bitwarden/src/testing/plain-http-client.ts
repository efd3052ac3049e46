import { Agent, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import {
  type HttpClient,
  type HttpClientRequest,
  type HttpClientResponse,
  httpAddressRefusedError,
  httpConnectionError,
  httpRedirectRefusedError,
  httpResponseTooLargeError,
  httpTimeoutError,
} from '@agent-service/sdk/services/http-client'

/**
 * A client for tests: it refuses loopback unless the request permits private addresses, and has the
 * limits of the body and of the headers.
 */
export function createPlainHttpClient({ ca }: { readonly ca?: string } = {}): HttpClient {
  const agent = new Agent({ keepAlive: false })
  return {
    async request(request, { signal }) {
      signal.throwIfAborted()
      const url = new URL(request.url)
      if (request.allowPrivate !== true || (url.protocol === 'http:' && request.allowHttp !== true))
        throw httpAddressRefusedError.create({ host: url.host, reason: 'it is not public' })
      const response = await send(url, request, { signal, agent, ca })
      if (response.status >= 300 && response.status < 400 && request.redirect === 'refuse')
        throw httpRedirectRefusedError.create({ host: url.host, reason: 'redirects are refused' })
      return response
    },
    stream: () => Promise.reject(new Error('The tests have no streams.')),
  }
}

function send(
  url: URL,
  { method = 'GET', headers = {}, body, limits = {} }: HttpClientRequest,
  { signal, agent, ca }: { readonly signal: AbortSignal; readonly agent: Agent; readonly ca: string | undefined },
): Promise<HttpClientResponse> {
  const { headersMs: limitMs = 5_000, maxBodyBytes = 1_000_000 } = limits
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers }, signal }
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, ...(ca === undefined ? {} : { ca }) })
        : requestHttp(url, { ...options, agent })
    request.setTimeout(limitMs, () => request.destroy(httpTimeoutError.create({ host: url.host, what: 'the answer', limitMs })))
    request.on('error', (error) =>
      reject(
        signal.aborted
          ? signal.reason
          : 'code' in error && String(error.code).startsWith('http_')
            ? error
            : httpConnectionError.create({ host: url.host, reason: error.message }),
      ),
    )
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      let length = 0
      response.on('data', (piece: Buffer) => {
        length += piece.length
        if (length > maxBodyBytes) request.destroy(httpResponseTooLargeError.create({ host: url.host, reason: 'too many bytes' }))
        pieces.push(piece)
      })
      response.on('error', reject)
      response.on('end', () => {
        const answered = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
        resolve({ status: response.statusCode ?? 0, headers: answered, url: url.href, redirects: 0, body: Buffer.concat(pieces) })
      })
    })
    request.end(body)
  })
}
