import { type HttpClient, httpResponseTooLargeError } from '@agent-service/sdk/services/http-client'
import { type FetchServer, maxAnswerBytes } from './post-form.js'

/**
 * The client for addresses that users chose: the guarded HTTP client checks and pins them.
 * Redirects are returned, not followed.
 */
export function createGuardedFetch(client: Pick<HttpClient, 'request'>): FetchServer {
  return async (url, { method, headers, body, signal }) => {
    const limits = { maxBodyBytes: maxAnswerBytes }
    const response = await client
      .request({ url, method, headers, body, redirect: 'return', limits }, { signal })
      .catch((error: unknown) => {
        throw httpResponseTooLargeError.isInstance(error) ? new RangeError(`its response has more than ${maxAnswerBytes} bytes`) : error
      })
    return { status: response.status, body: singleChunk(response.body) }
  }
}

async function* singleChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
