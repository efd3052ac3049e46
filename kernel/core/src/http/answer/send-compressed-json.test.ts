import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Type } from '@agent-service/sdk'
import { defineRoute } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'

const owner = { id: 'feature-list', prefixes: ['/api/list'] }
const long = 'a word '.repeat(1_000)

const answers = { 200: { description: 'It.', schema: Type.Object({ text: Type.String() }) } }
const common = { method: 'GET', summary: 'List', auth: 'user', answers } as const

describe('a JSON answer that may be compressed', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
    server.authenticator.grant('token', testPrincipal())
    const route = (path: string, text: string, compress: boolean) =>
      defineRoute({
        ...common,
        path,
        operationId: path.slice(5).replaceAll(/\/(.)/g, (_, letter: string) => letter.toUpperCase()),
        handle: async () => ({ status: 200, kind: 'json', json: { text }, compress }),
      })
    server.add(route('/api/list/long', long, true), owner)
    server.add(route('/api/list/short', 'a word', true), owner)
    server.add(route('/api/list/plain', long, false), owner)
  })
  after(() => server.close())

  const get = (path: string, encoding: string): Promise<{ readonly headers: Headers; readonly json: unknown; readonly bytes: number }> => {
    return new Promise((resolve, reject) => {
      const asked = request(
        new URL(path, `http://127.0.0.1:${server.port}`),
        { headers: { authorization: 'Bearer token', 'accept-encoding': encoding } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => {
            const bytes = Buffer.concat(chunks)
            const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
            resolve({
              headers: new Headers(answer.headers as Record<string, string>),
              json: JSON.parse(text.toString()),
              bytes: bytes.length,
            })
          })
        },
      )
      asked.on('error', reject).end()
    })
  }

  it('is compressed for a client that takes it, if it is long', async () => {
    const { headers, json, bytes } = await get('/api/list/long', 'br, gzip')
    expect(headers.get('content-encoding')).to.equal('gzip')
    expect(headers.get('vary')).to.include('Accept-Encoding')
    expect(headers.get('content-length')).to.equal(String(bytes))
    expect(bytes).to.be.below(500)
    expect(json).to.deep.equal({ text: long })
  })

  it('stays as it is for others, and so do short ones and those of other routes', async () => {
    for (const [path, encoding] of [
      ['/api/list/long', 'identity'],
      ['/api/list/long', 'gzip;q=0'],
      ['/api/list/short', 'gzip'],
      ['/api/list/plain', 'gzip'],
    ] as const) {
      const { headers, json } = await get(path, encoding)
      expect(headers.get('content-encoding'), `${path} ${encoding}`).to.equal(null)
      expect(json).to.deep.equal({ text: path.endsWith('short') ? 'a word' : long })
    }
  })
})
