import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { CompletionsQuirks } from '../completions/quirks.js'
import type { FailureReport } from '../failures/failure-report.js'
import { transportFailure } from '../failures/transport-failure.js'
import type { ConnectionPools } from './connection-pools.js'
import type { CallDeadline } from './deadline.js'
import type { UpstreamResponse } from './upstream-response.js'

/** Either an answer with its status, or why there is none. */
export type SendResult = { readonly response: UpstreamResponse } | { readonly failed: FailureReport; readonly cause?: unknown }

/** Posts the body. Redirects are not followed: the key belongs to the address that was configured. Rejects never. */
export async function send(
  request: ModelRequest,
  quirks: CompletionsQuirks,
  body: JsonObject,
  { pools, deadline }: { readonly pools: ConnectionPools; readonly deadline: CallDeadline },
): Promise<SendResult> {
  const url = urlOf(request, quirks)
  if (!url) return { failed: badRequest(`“${request.connection.baseUrl}” is no URL. Set base_url to an http or https address.`) }
  if (url.username !== '' || url.password !== '')
    return { failed: badRequest('base_url holds a user name or password. Set api_key instead.') }
  const headers = headersOf(request, quirks)
  // The cause would repeat the header's value, which is the key.
  if (!headers)
    return {
      failed: {
        ...badRequest('The API key holds characters that no header can carry. Set it again, without line breaks.'),
        failure: 'authentication',
      },
    }
  try {
    const post = { url, headers, body: JSON.stringify(body), signal: deadline.signal }
    const response = await pools.post(post, request.timeouts.connectMs)
    const encoding = response.headers.get('content-encoding') ?? 'identity'
    return encoding === 'identity' ? { response } : { failed: compressed(encoding) }
  } catch (error) {
    return { failed: transportFailure(error), cause: error }
  }
}

const compressed = (encoding: string): FailureReport => ({
  failure: 'invalid_response',
  retryable: false,
  reason: `The endpoint compressed its answer (${encoding}), although it was asked not to. Whatever stands before it has to pass the answer on as it is.`,
})

const badRequest = (reason: string): FailureReport => ({ failure: 'bad_request', retryable: false, reason })

function urlOf({ connection, model }: ModelRequest, quirks: CompletionsQuirks): URL | undefined {
  const path = quirks.path.replaceAll('{model}', encodeURIComponent(model))
  const text = `${connection.baseUrl.replace(/\/+$/, '')}${path}`
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  for (const [name, value] of Object.entries(quirks.query)) url.searchParams.set(name, value)
  return url
}

/** Names in lower case, so that one that is set later replaces one before it. `undefined` where a header could not carry its value. */
function headersOf({ connection, stream }: ModelRequest, quirks: CompletionsQuirks): Readonly<Record<string, string>> | undefined {
  const headers = new Map([
    ['content-type', 'application/json'],
    ['accept', stream ? 'text/event-stream, application/json' : 'application/json'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'agent-service'],
  ])
  for (const [name, value] of Object.entries(quirks.headers)) headers.set(name.toLowerCase(), value.trim())
  const { apiKey } = connection
  if (apiKey !== undefined && quirks.auth !== 'none') {
    if (quirks.auth === 'api-key') headers.set('api-key', apiKey.trim())
    else headers.set('authorization', /^Bearer /i.test(apiKey) ? apiKey.trim() : `Bearer ${apiKey.trim()}`)
  }
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
  } catch {
    return undefined
  }
  return Object.fromEntries(headers)
}
