import { type HttpClient, httpResponseTooLargeError } from '@agent-service/sdk/services/http-client'
import { type FetchServer, maxAnswerBytes } from './ask-server.js'

/**
 * The way out for addresses that users chose: the guarded client checks and pins them. Redirects are answers,
 * and are not followed.
 */
export function createGuardedFetch(client: Pick<HttpClient, 'request'>): FetchServer {
  return async (url, { method, headers, body, signal }) => {
    const limits = { maxBodyBytes: maxAnswerBytes }
    const response = await client
      .request({ url, method, headers, body, redirect: 'return', limits }, { signal })
      .catch((error: unknown) => {
        throw httpResponseTooLargeError.isInstance(error) ? new RangeError(`it answered with more than ${maxAnswerBytes} bytes`) : error
      })
    return { status: response.status, body: onlyPiece(response.body) }
  }
}

async function* onlyPiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
