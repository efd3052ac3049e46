import { validateHeaderName, validateHeaderValue } from 'node:http'
import { callFailure } from './failures/call-failure.js'
import type { FailureReport } from './failures/failure-report.js'
import { transportFailure } from './failures/transport-failure.js'
import type { CallDeadline } from './transport/deadline.js'
import type { ModelClient } from './transport/model-client.js'
import type { UpstreamResponse } from './transport/upstream-response.js'

/** One request as an adapter prepares it. */
export interface ModelPost {
  /** Default `POST`. A `GET` sends no body. */
  readonly method?: 'GET' | 'POST'
  /** Made with {@link endpointUrl}. */
  readonly url: URL
  /**
   * Those of the protocol, its signature or key among them; names in any case. Content type,
   * encoding and agent are there already.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text that is sent. */
  readonly body: string
}

/**
 * The address of an endpoint: the connection's `baseUrl` without trailing slashes, the path as it
 * is given, and a query.
 * @throws a call failure for an invalid address, one that is not http or https, or one with a user
 * name or password.
 */
export function endpointUrl(baseUrl: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const text = `${baseUrl.replace(/\/+$/, '')}${path}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw callFailure(badRequest(`“${baseUrl}” is not a URL. Set base_url to an http or https address.`))
  if (url.username !== '' || url.password !== '')
    throw callFailure(badRequest('base_url contains a user name or password. Set api_key instead.'))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/**
 * Posts. Redirects are not followed: the key belongs to the address that was configured. @throws a
 * call failure if there is no answer that can be read.
 */
export async function sendPost(
  { method = 'POST', url, headers, body }: ModelPost,
  means: { readonly client: ModelClient; readonly deadline: CallDeadline; readonly connectMs: number; readonly stream: boolean },
): Promise<UpstreamResponse> {
  const post = { method, url, headers: headersOf(headers, means.stream), body, signal: means.deadline.signal }
  const response = await means.client.post(post, means.connectMs).catch((error: unknown) => {
    throw callFailure(transportFailure(error), error)
  })
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity') return response
  throw callFailure({
    failure: 'invalid_response',
    retryable: false,
    reason: `The endpoint compressed its answer (${encoding}), although the request did not allow that. A proxy before it must forward the answer unchanged.`,
  })
}

/** Names in lower case, so that one that is set later replaces one before it. */
function headersOf(own: Readonly<Record<string, string>>, stream: boolean): Readonly<Record<string, string>> {
  const headers = new Map([
    ['content-type', 'application/json'],
    ['accept', stream ? 'text/event-stream, application/x-ndjson, application/json' : 'application/json'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'agent-service'],
  ])
  for (const [name, value] of Object.entries(own)) headers.set(name.toLowerCase(), value.trim())
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
  } catch {
    // The cause would repeat the header's value, which is the key.
    throw callFailure({
      ...badRequest('The API key contains characters that are not allowed in a header. Set it again, without line breaks.'),
      failure: 'authentication',
    })
  }
  return Object.fromEntries(headers)
}

const badRequest = (reason: string): FailureReport => ({ failure: 'bad_request', retryable: false, reason })
