import type { Agent, Dispatcher } from 'undici'
import { type BodyQueue, createBodyQueue } from './body-queue.js'
import { createResponseHeaders, type UpstreamResponse } from './upstream-response.js'

/** One request, a POST as a rule. */
export interface Post {
  /** Default `POST`. A `GET` sends no body. */
  readonly method?: 'GET' | 'POST'
  /** http or https. */
  readonly url: URL
  /** All of them but those of the connection itself. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8. */
  readonly body: string
  /** Ends the request, and the reading of its answer. */
  readonly signal: AbortSignal
}

/**
 * Posts and resolves with the head of the answer. Redirects are answers like others. Rejects when
 * there is none: with the signal's reason, or with what the connection failed of. After the head
 * the signal ends the connection and the reading of the body.
 */
export function post(agent: Agent, { method = 'POST', url, headers, body, signal }: Post): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let queue: BodyQueue | undefined
    const abort = (): void => {
      controller?.abort(signal.reason as Error)
      fail(signal.reason)
    }
    const forget = (): void => signal.removeEventListener('abort', abort)
    const fail = (error: unknown): void => {
      forget()
      if (queue) queue.fail(error)
      else reject(error)
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (signal.aborted) abort()
      },
      onResponseStart(started, status, head) {
        // Informational responses are ignored.
        if (status < 200) return
        const waiting = createBodyQueue(started)
        queue = waiting
        resolve({ status, headers: createResponseHeaders(head), read: () => waiting.read() })
      },
      onResponseData: (_started, bytes) => queue?.add(bytes),
      onResponseEnd() {
        forget()
        queue?.end()
      },
      onResponseError: (_started, error) => fail(error),
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      agent.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method, headers, body: method === 'GET' ? null : body },
        handler,
      )
    } catch (error) {
      fail(error)
    }
  })
}
