import { request as httpRequest } from 'node:http'
import { expect } from 'chai'
import { type OpenAiKernel, startOpenAiKernel } from './support/openai-kernel.js'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string } | undefined
}

describe('every error below /v1', () => {
  let openai: OpenAiKernel
  let token: string
  before(async () => {
    openai = await startOpenAiKernel()
    token = await openai.tokenWith(['inference'])
  })
  after(() => openai?.close())

  /** A request as it is written: paths are not normalised. */
  const send = (
    method: string,
    path: string,
    options: { readonly body?: string; readonly headers?: Readonly<Record<string, string>>; readonly token?: string } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(openai.agents.kernel.url)
      const headers = { authorization: `Bearer ${options.token ?? token}`, 'content-type': 'application/json', ...options.headers }
      const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
        const pieces: Buffer[] = []
        response
          .on('data', (piece: Buffer) => pieces.push(piece))
          .on('end', () => {
            const body = JSON.parse(Buffer.concat(pieces).toString()) as Pick<Answer, 'error'>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, error: body.error })
            request.destroy()
          })
      })
      request.on('error', (error) => (request.destroyed ? undefined : reject(error)))
      if (options.headers?.['content-length'] === undefined) request.end(options.body)
      else request.write(options.body ?? '{')
    })

  const hello = JSON.stringify({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }] })
  const chat = '/v1/chat/completions'
  for (const [what, ask, status, code, type, param] of [
    ['an unknown path', () => send('GET', '/v1/assistants'), 404, 'not_found', 'invalid_request_error', null],
    ['the prefix itself', () => send('GET', '/v1'), 404, 'not_found', 'invalid_request_error', null],
    ['a wrong method', () => send('GET', chat), 405, 'method_not_allowed', 'invalid_request_error', null],
    ['a path that cannot be read', () => send('GET', '/v1/models/%zz'), 400, 'invalid_path', 'invalid_request_error', null],
    ['an encoded slash elsewhere', () => send('GET', '/v1/chat%2Fcompletions'), 400, 'invalid_path', 'invalid_request_error', null],
    ['an unknown model', () => send('GET', '/v1/models/gpt'), 404, 'model_not_found', 'invalid_request_error', null],
    ['an unknown agent', () => send('GET', '/v1/models/agent%2Fnobody'), 404, 'model_not_found', 'invalid_request_error', null],
    ['no valid credential', () => send('POST', chat, { token: 'x', body: hello }), 401, 'unauthenticated', 'authentication_error', null],
    [
      'a body that is too large',
      () => send('POST', chat, { headers: { 'content-length': `${32 * 1024 * 1024 + 1}` } }),
      ...([413, 'body_too_large', 'invalid_request_error', null] as const),
    ],
    ['a body that is not JSON', () => send('POST', chat, { body: '{' }), 400, 'malformed_json', 'invalid_request_error', null],
    [
      'a body of another type',
      () => send('POST', chat, { body: hello, headers: { 'content-type': 'text/plain' } }),
      ...([400, 'unsupported_media_type', 'invalid_request_error', null] as const),
    ],
    [
      'a body that is not valid',
      () => send('POST', chat, { body: '{"model":"primary","messages":[{}],"temperature":"hot"}' }),
      ...([400, 'invalid_request', 'invalid_request_error', 'temperature'] as const),
    ],
    [
      'an unsupported parameter',
      () => send('POST', chat, { body: '{"model":"primary","messages":[{"role":"robot"}]}' }),
      ...([400, 'unsupported_parameter', 'invalid_request_error', 'messages[0].role'] as const),
    ],
  ] as const) {
    it(`is an error object: ${what}`, async () => {
      const answer = await ask()
      expect(answer.status).to.equal(status)
      expect(answer.error).to.deep.include({ code, type, param })
      expect(answer.error?.message).to.be.a('string').and.not.equal('')
      expect(answer.headers['x-should-retry']).to.equal('false')
      expect(answer.headers).to.have.property('x-request-id')
    })
  }

  it('beside them stays a problem alone', async () => {
    expect((await send('GET', '/api/unknown')).error).to.equal(undefined)
    expect((await send('GET', '/v10')).error).to.equal(undefined)
  })
})
