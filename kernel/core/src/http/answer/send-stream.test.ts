import { defineRoute } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

describe('a stream with an announced length', () => {
  let server: TestServer
  let ended: number

  /** A stream that counts how often it was ended, whether it was read or not. */
  const streamOf = (parts: readonly string[]): AsyncIterable<Uint8Array> => {
    let next = 0
    return {
      [Symbol.asyncIterator]: () => ({
        async next() {
          const part = parts[next]
          next += 1
          return part === undefined ? { done: true, value: undefined } : { done: false, value: Buffer.from(part) }
        },
        async return() {
          ended += 1
          return { done: true, value: undefined }
        },
      }),
    }
  }
  const serve = (path: string, parts: readonly string[], length: number): void => {
    server.add(
      defineRoute({
        ...{ method: 'GET', path, operationId: `get${path.slice(5)}`, summary: 'Bytes', auth: 'public' },
        answers: { 200: { description: 'Bytes.', contentType: 'application/octet-stream' } },
        handle: async () => ({ status: 200, kind: 'stream', contentType: 'application/octet-stream', stream: streamOf(parts), length }),
      }),
    )
  }

  before(async () => {
    server = await startTestServer()
    serve('/api/Exact', ['one', 'two'], 6)
    serve('/api/Short', ['one'], 6)
    serve('/api/Long', ['one', 'two', 'three'], 6)
  })
  beforeEach(() => {
    ended = 0
  })
  after(() => server.close())

  it('is sent with Content-Length', async () => {
    const answer = await server.fetch('/api/Exact')
    expect([answer.headers.get('content-length'), await answer.text()]).to.deep.equal(['6', 'onetwo'])
    expect(ended).to.equal(1)
  })

  it('is ended without being read for HEAD', async () => {
    const answer = await server.fetch('/api/Exact', { method: 'HEAD' })
    expect([answer.headers.get('content-length'), await answer.text(), ended]).to.deep.equal(['6', '', 1])
  })

  for (const path of ['/api/Short', '/api/Long']) {
    it(`breaks the connection if the length is wrong: ${path.slice(5)}`, async () => {
      const read = await server
        .fetch(path)
        .then(
          (answer) => answer.text(),
          (error: unknown) => error,
        )
        .catch((error: unknown) => error)
      expect(read).to.be.instanceOf(TypeError)
      expect(ended).to.equal(1)
    })
  }
})
