import type { ServiceError } from '@agent-service/sdk'
import type { HttpClient, HttpClientRequest, HttpClientResponse } from '@agent-service/sdk/services/http-client'

/** For requests to a server on loopback. */
export const local = { allowHttp: true, allowPrivate: true } as const

/** Sends a request to a server on loopback. */
export const ask = (client: HttpClient, url: string, more: Partial<HttpClientRequest> = {}): Promise<HttpClientResponse> =>
  client.request({ url, ...local, ...more }, { signal: new AbortController().signal })

/** The error that a promise rejects with. Fails if it does not. */
export const failureOf = (promise: Promise<unknown>): Promise<ServiceError> =>
  promise.then(
    () => {
      throw new Error('It was expected to fail.')
    },
    (error: ServiceError) => error,
  )

/** A body as text. */
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
