import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { encodedRequest, startTestServer } from '@agent-service/kernel-core/http/testing'
import { Type } from '@agent-service/sdk'
import { created, defineRoute } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createApiDescriptionRoute } from './api-description-route.js'

describe('the description of the API', () => {
  it('is compressed, with an entity tag for each encoding, also for other origins', async () => {
    const server = await startTestServer({ settings: { cors_origins: 'https://app.example' } })
    server.add(createApiDescriptionRoute({ table: server.table, texts: () => ({ version: '1.2.3', tags: {} }) }))
    const ask = (headers: Readonly<Record<string, string>>) => encodedRequest(server, '/api/openapi.json', { headers })
    const plain = await ask({})
    const tags = new Set([plain.headers.etag])
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const headers = { 'accept-encoding': encoding, origin: 'https://app.example' }
      const answer = await ask(headers)
      expect(answer.headers['content-encoding']).to.equal(encoding)
      expect(answer.headers.vary).to.equal('Origin, Accept-Encoding')
      expect(String(decode(answer.body))).to.equal(String(plain.body))
      tags.add(answer.headers.etag)
      const known = await ask({ ...headers, 'if-none-match': answer.headers.etag ?? '' })
      expect([known.status, known.headers.etag]).to.deep.equal([304, answer.headers.etag])
    }
    expect(tags.size).to.equal(3)
    await server.close()
  })

  it('describes every route with its parameters and responses, as plain JSON', async () => {
    const server = await startTestServer()
    server.add(createApiDescriptionRoute({ table: server.table, texts: () => ({ version: '1.2.3', tags: {} }) }))
    server.add(
      defineRoute({
        method: 'POST',
        path: '/api/chats/{chat_id}/messages',
        operationId: 'postMessage',
        summary: 'Post',
        auth: 'user',
        scope: 'write',
        rateClass: 'expensive',
        idempotent: true,
        params: Type.Object({ chat_id: Type.String() }),
        query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })) }),
        body: {
          kind: 'json',
          schema: Type.Object({
            content: Type.Union([Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown()))]),
            n: Type.Union([Type.Null(), Type.Number()]),
          }),
        },
        answers: { 201: { description: 'Made.', schema: Type.Object({ id: Type.String() }) } },
        handle: async () => created({ id: '1' }),
      }),
    )
    const text = await (await server.fetch('/api/openapi.json')).text()
    expect(text).to.not.include('"~')
    const document = JSON.parse(text) as {
      openapi: string
      paths: Record<string, Record<string, { security: unknown; responses: Record<string, unknown>; parameters: { name: string }[] }>>
    }
    expect(document.openapi).to.equal('3.1.0')
    const operation = document.paths['/api/chats/{chat_id}/messages']?.['post']
    expect(operation?.parameters.map(({ name }) => name)).to.deep.equal(['chat_id', 'limit', 'Idempotency-Key'])
    expect(Object.keys(operation?.responses ?? {})).to.include.members(['201', '401', '403', '404', '413', '415', '422', '429', 'default'])
    await server.close()
  })
})
