import { type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { openAiErrorFormat } from './error-format.js'
import { callerError } from './openai-error.js'

const format = (error: {
  readonly status: number
  readonly code: string
  readonly problems?: readonly { path: string; message: string }[]
}) => openAiErrorFormat.format({ detail: 'It says why.', path: '/v1/chat/completions', problems: [], ...error })

describe('errors below /v1', () => {
  it('have a status that says whether a retry makes sense, also to clients that know few', () => {
    const table: readonly (readonly [number, string, number, boolean])[] = [
      [401, 'unauthenticated', 401, false],
      [402, 'budget_exceeded', 402, false],
      [403, 'forbidden', 403, false],
      [404, 'not_found', 404, false],
      [405, 'method_not_allowed', 405, false],
      [408, 'request_timeout', 408, true],
      [409, 'run_in_progress', 409, true],
      [409, 'credential_missing', 400, false],
      [409, 'model_group_unusable', 400, false],
      [409, 'embedding_unavailable', 400, false],
      [413, 'body_too_large', 413, false],
      [415, 'unsupported_media_type', 400, false],
      [422, 'invalid_request', 400, false],
      [422, 'idempotency_key_reused', 400, false],
      [429, 'rate_limited', 429, true],
      [500, 'internal_error', 500, true],
      [503, 'upstream_unavailable', 503, true],
      [503, 'answer_overdue', 503, false],
    ]
    for (const [from, code, status, retry] of table) {
      const formatted = format({ status: from, code })
      expect([formatted.status, formatted.headers?.['x-should-retry']], code).to.deep.equal([status, String(retry)])
      expect(formatted.members['error'], code).to.include({ code, param: null })
      expect((formatted.members['error'] as { readonly message: string }).message, code).to.match(/^It says why\./)
    }
  })

  it('name the first parameter that is wrong', () => {
    const problem = (path: string) =>
      openAiErrorFormat.format({
        ...{ status: 422, code: 'invalid_request', detail: `The body is not valid. ${path} must be a number, found a text.` },
        path: '/v1/chat/completions',
        problems: [{ path, message: 'must be a number' }],
      }).members['error']
    expect(problem('/temperature')).to.deep.equal({
      ...{ message: 'The body is not valid. temperature must be a number, found a text.', type: 'invalid_request_error' },
      ...{ param: 'temperature', code: 'invalid_request' },
    })
    expect(problem('/messages/0/content/1/text')).to.include({ param: 'messages[0].content[1].text' })
    expect(problem('/a~1b$&')).to.include({ param: 'a/b$&', message: 'The body is not valid. a/b$& must be a number, found a text.' })
    expect(problem('/')).to.include({ param: null })
    const refused = format({ status: 400, code: 'unsupported_parameter', problems: [{ path: 'messages[0].role', message: 'must be x' }] })
    expect(refused.members['error']).to.include({ param: 'messages[0].role', message: 'It says why.' })
  })

  it('of a vendor are those that its caller can act on', () => {
    const statuses: Readonly<Record<ProviderFailure, number>> = {
      ...{ bad_request: 400, context_overflow: 400, content_filtered: 400, quota_exceeded: 402, authentication: 403, model_not_found: 404 },
      ...{ rate_limited: 429, overloaded: 503, transport: 503, timeout: 503, truncated: 503, invalid_response: 503 },
    }
    for (const [failure, status] of Object.entries(statuses) as [ProviderFailure, number][]) {
      const thrown = providerError.create(
        { failure, retryable: true, connection: 'c', model: 'm', reason: 'Why.' },
        failure === 'rate_limited' ? { retryAfterSeconds: 9 } : {},
      )
      expect(callerError(thrown), failure).to.include({ status, retryAfterSeconds: failure === 'rate_limited' ? 9 : undefined })
    }
  })
})
