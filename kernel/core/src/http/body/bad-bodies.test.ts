import { once } from 'node:events'
import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { getRequest, openSocket, parseAnswer, postRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

describe('bad bodies', () => {
  let server: TestServer
  let handled = 0
  let streamed: string[] = []
  const json = defineRoute({
    method: 'POST',
    path: '/api/notes',
    operationId: 'createNote',
    summary: 'Note',
    auth: 'public',
    body: { kind: 'json', schema: Type.Object({ text: Type.String() }), limit: 2_000_000 },
    answers: { 200: { description: 'It.', schema: Type.Object({ length: Type.Integer() }) } },
    handle: async ({ body }) => {
      handled++
      return ok({ length: body.text.length })
    },
  })
  const repaired = defineRoute({
    ...json,
    path: '/api/repaired',
    operationId: 'createRepairedNote',
    body: { kind: 'json', schema: Type.Object({ text: Type.String() }), illFormedTexts: 'repair' },
    answers: { 200: { description: 'It.', schema: Type.Object({ text: Type.String() }) } },
    handle: async ({ body }) => ok({ text: body.text }),
  })
  const account = defineRoute({
    ...json,
    path: '/api/auth/notes',
    operationId: 'createAccountNote',
    body: { kind: 'json', schema: Type.Unknown() },
    handle: async () => ok({ length: 0 }),
  })
  const upload = defineRoute({
    method: 'PUT',
    path: '/api/files/{name}',
    operationId: 'putFile',
    summary: 'File',
    auth: 'public',
    params: Type.Object({ name: Type.String() }),
    body: { kind: 'stream', contentTypes: ['application/octet-stream', 'image/*'], limit: 1_000_000 },
    answers: { 200: { description: 'It.', schema: Type.Object({ length: Type.Integer() }) } },
    handle: async ({ bodyStream }) => {
      let length = 0
      try {
        for await (const chunk of bodyStream ?? []) length += chunk.byteLength
        streamed.push('complete')
      } catch (error) {
        streamed.push((error as { code?: string; name: string }).code ?? (error as Error).name)
        throw error
      }
      return ok({ length })
    },
  })
  beforeEach(async () => {
    handled = 0
    streamed = []
    server = await startTestServer({
      routes: [json, repaired, account, upload],
      limits: { maxBodyIdleMs: 200, maxTotalBodyBytes: 3_000_000, maxJsonValues: 1_000 },
      settings: { max_body_size_bytes: 1_500_000 },
    })
  })
  afterEach(() => server.close())

  const expectProblem = async (bytes: string | Uint8Array, status: number, code: string) => {
    const answer = await rawRequest(server.port, bytes)
    expect([answer.status, (JSON.parse(answer.body || '{}') as { code?: string }).code]).to.deep.equal([status, code])
    expect(handled).to.equal(0)
    return (JSON.parse(answer.body) as { detail: string }).detail
  }

  it('refuses malformed JSON with the position', async () => {
    expect(await expectProblem(postRequest('/api/notes', '{"text": }'), 400, 'malformed_json')).to.contain('line 1, column 10')
    await expectProblem(postRequest('/api/notes', ''), 400, 'malformed_json')
    await expectProblem(postRequest('/api/notes', Buffer.from([0x7b, 0x22, 0xff, 0x22])), 400, 'malformed_json')
  })

  it('refuses deep nesting, wrong types and unknown members', async () => {
    await expectProblem(postRequest('/api/notes', '['.repeat(100_000)), 400, 'nesting_too_deep')
    await expectProblem(postRequest('/api/notes', '{"text":1}'), 422, 'invalid_request')
    await expectProblem(postRequest('/api/notes', '{"text":"a","x":1}'), 422, 'invalid_request')
    await expectProblem(postRequest('/api/notes', 'null'), 422, 'invalid_request')
  })

  it('refuses half a surrogate pair with its path, whether the body is parsed on the event loop or in a thread', async () => {
    for (const text of ['a \\ud83d', `${'x'.repeat(400_000)}\\uDE00`]) {
      const answer = await rawRequest(server.port, postRequest('/api/notes', `{"text":"${text}"}`))
      expect([answer.status, (JSON.parse(answer.body) as { errors: { path: string }[] }).errors.map(({ path }) => path)]).to.deep.equal([
        422,
        ['/text'],
      ])
    }
    expect(handled).to.equal(0)
    const whole = await rawRequest(server.port, postRequest('/api/notes', '{"text":"\\ud83d\\ude00"}'))
    expect(JSON.parse(whole.body)).to.deep.equal({ length: 2 })
  })

  it('repairs it where the route asks for that', async () => {
    const answer = await rawRequest(server.port, postRequest('/api/repaired', '{"text":"a \\ud83d"}'))
    expect(JSON.parse(answer.body)).to.deep.equal({ text: 'a \ufffd' })
  })

  it('refuses too many values, whether the body is parsed on the event loop or in a thread', async () => {
    for (const count of [1_000, 200_000])
      await expectProblem(postRequest('/api/notes', `{"text":[${'1,'.repeat(count)}1]}`), 413, 'too_many_values')
    const text = ',[{'.repeat(300_000)
    const answer = await rawRequest(server.port, postRequest('/api/notes', JSON.stringify({ text })))
    expect(JSON.parse(answer.body)).to.deep.equal({ length: text.length })
  })

  it('accepts duplicate __proto__ members without harm', async () => {
    const answer = await rawRequest(server.port, postRequest('/api/notes', '{"__proto__":{"text":"a"},"text":"abc","__proto__":{"x":1}}'))
    expect(JSON.parse(answer.body)).to.deep.equal({ length: 3 })
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined)
  })

  it('3.5.2 refuses missing and wrong content types and encodings', async () => {
    for (const headers of [
      '',
      'Content-Type: text/plain\r\n',
      'Content-Type: application/json; charset=latin1\r\n',
      'Content-Type: application/json\r\nContent-Encoding: gzip\r\n',
      'Content-Type: ;;\r\n',
    ]) {
      await expectProblem(postRequest('/api/notes', '{"text":"a"}', headers), 415, 'unsupported_media_type')
    }
    const fine = await rawRequest(
      server.port,
      postRequest('/api/notes', '{"text":"a"}', 'Content-Type: application/vnd.x+json; charset=UTF-8\r\n'),
    )
    expect(fine.status).to.equal(200)
  })

  it('names the limit that a large body exceeds, announced or not', async () => {
    expect(await expectProblem(postRequest('/api/notes', 'x'.repeat(1_500_001)), 413, 'body_too_large'))
      .to.contain('1500000')
      .and.contain('server.max_body_size_bytes')
    expect(await expectProblem(postRequest('/api/auth/notes', 'x'.repeat(65_537)), 413, 'body_too_large')).to.contain('65536')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const head = 'POST /api/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(await expectProblem(`${head}${chunk.repeat(30)}0\r\n\r\n`, 413, 'body_too_large')).to.contain('server.max_body_size_bytes')
  })

  it('refuses a large body before it is sent, and sends no 100 Continue for it', async () => {
    const socket = await openSocket(server.port)
    const head = (length: number) =>
      `POST /api/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
    socket.write(head(14))
    expect(String((await once(socket, 'data'))[0])).to.equal('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{"text":"abc"}')
    expect(parseAnswer(String((await once(socket, 'data'))[0])).status).to.equal(200)
    socket.write(head(9_000_000))
    expect(parseAnswer(String((await once(socket, 'data'))[0])).status).to.equal(413)
    socket.destroy()
  })

  it('runs no handler for a truncated request', async () => {
    const answer = await rawRequest(
      server.port,
      'POST /api/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"text":"a"}',
      { endWrites: true },
    )
    expect(answer.status).to.be.oneOf([0, 400])
    expect(handled).to.equal(0)
  })

  it('answers a body with malformed chunks', async () => {
    await expectProblem(
      'POST /api/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'invalid_request_head',
    )
  })

  it('times out a slow body', async () => {
    await expectProblem(
      'POST /api/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"te',
      408,
      'request_timeout',
    )
  })

  it('holds no more unread bodies than the limit, and accepts new ones once they are released', async () => {
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(server.port)))
    const head = 'POST /api/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1200000\r\n\r\n'
    const answers = sockets.map(async (socket) => parseAnswer(String((await once(socket, 'data'))[0])))
    for (const socket of sockets) socket.write(`${head}${'x'.repeat(1_100_000)}`)
    const first = await Promise.race(answers)
    expect([first.status, first.headers['retry-after']]).to.deep.equal([503, '2'])
    for (const socket of sockets) socket.destroy()
    const fine = await rawRequest(server.port, postRequest('/api/notes', '{"text":"a"}'))
    expect(fine.status).to.equal(200)
  })

  it('streams files, and fails a stream that is truncated or too long', async () => {
    const put = (headers: string, body: string) => `PUT /api/files/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n${body}`
    const type = 'Content-Type: image/png\r\n'
    const whole = await rawRequest(server.port, put(`${type}Content-Length: 5\r\n`, '12345'))
    expect(JSON.parse(whole.body)).to.deep.equal({ length: 5 })
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const long = await rawRequest(server.port, put(`${type}Transfer-Encoding: chunked\r\n`, `${chunk.repeat(20)}0\r\n\r\n`))
    expect(long.status).to.equal(413)
    await rawRequest(server.port, put(`${type}Content-Length: 50\r\n`, '12345'), { endWrites: true })
    expect(streamed[0]).to.equal('complete')
    expect(streamed[1]).to.equal('body_too_large')
    expect(streamed[2]).to.not.equal('complete')
    expect((await rawRequest(server.port, put('Content-Type: text/html\r\nContent-Length: 1\r\n', 'x'))).status).to.equal(415)
  })

  it('serves the next request of a connection after an unwanted body', async () => {
    const socket = await openSocket(server.port)
    socket.write('DELETE /api/notes HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345')
    expect(parseAnswer(String((await once(socket, 'data'))[0])).status).to.equal(405)
    socket.write(getRequest('/healthz'))
    expect(parseAnswer(String((await once(socket, 'data'))[0])).status).to.equal(200)
    socket.destroy()
  })
})
