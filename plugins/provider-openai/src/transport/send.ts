import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { Response } from 'undici'
import type { CompletionsQuirks } from '../completions/quirks.js'
import type { FailureReport } from '../failures/failure-report.js'
import { transportFailure } from '../failures/transport-failure.js'
import type { ConnectionPools } from './connection-pools.js'
import type { CallDeadline } from './deadline.js'

/** Either an answer with its status, or why there is none. */
export type SendResult = { readonly response: Response } | { readonly failed: FailureReport; readonly cause?: unknown }

/** Posts the body. Redirects are not followed: the key belongs to the address that was configured. Rejects never. */
export async function send(
  request: ModelRequest,
  quirks: CompletionsQuirks,
  body: JsonObject,
  { pools, deadline }: { readonly pools: ConnectionPools; readonly deadline: CallDeadline },
): Promise<SendResult> {
  const url = urlOf(request, quirks)
  if (!url) return { failed: badRequest(`“${request.connection.baseUrl}” is no URL. Set base_url to an http or https address.`) }
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
    const post = { method: 'POST', headers: [...headers], body: JSON.stringify(body), signal: deadline.signal }
    return { response: await pools.send(url, post, request.timeouts.connectMs) }
  } catch (error) {
    return { failed: transportFailure(error), cause: error }
  }
}

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

function headersOf({ connection, stream }: ModelRequest, quirks: CompletionsQuirks): Headers | undefined {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream, application/json' : 'application/json',
  })
  headers.set('user-agent', 'agent-service')
  try {
    for (const [name, value] of Object.entries(quirks.headers)) headers.set(name, value)
    if (connection.apiKey === undefined || quirks.auth === 'none') return headers
    if (quirks.auth === 'api-key') headers.set('api-key', connection.apiKey)
    else headers.set('authorization', /^Bearer /i.test(connection.apiKey) ? connection.apiKey : `Bearer ${connection.apiKey}`)
    return headers
  } catch {
    return undefined
  }
}
