import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ask, failureOf, local, text } from './testing/ask.js'
import { collectOpened, openTestClient, startTestServer } from './testing/open-test-client.js'

const signal = new AbortController().signal

describe('bodies of responses to the guarded HTTP client', () => {
  const opened = collectOpened()
  afterEach(() => opened.close())

  const page = 'An ordinary page. '.repeat(200)
  const encodings: readonly (readonly [string, Buffer])[] = [
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['deflate', deflateSync(page)],
    ['deflate', deflateRawSync(page)],
    ['br', brotliCompressSync(page)],
    ['identity', Buffer.from(page)],
  ]
  for (const [encoding, bytes] of encodings) {
    it(`reads ${encoding} in any chunks, and refuses it if it is cut off`, async () => {
      const server = await startTestServer(opened, async ({ url }, response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        const whole = url === '/cut' ? bytes.subarray(0, bytes.length - 9) : bytes
        for (let at = 0; at < whole.length; at += 7) response.write(whole.subarray(at, at + 7))
        response.end()
      })
      const client = openTestClient(opened)
      expect(text((await ask(client, `http://127.0.0.1:${server.port}/`)).body)).to.equal(page)
      if (encoding === 'identity') return
      expect((await failureOf(ask(client, `http://127.0.0.1:${server.port}/cut`))).code).to.equal('http_response_invalid')
    })
  }

  const bombs: readonly (readonly [string, (size: number) => Buffer])[] = [
    ['gzip', (size) => gzipSync(Buffer.alloc(size))],
    ['deflate', (size) => deflateSync(Buffer.alloc(size))],
    ['br', (size) => brotliCompressSync(Buffer.alloc(size))],
  ]
  for (const [encoding, make] of bombs) {
    it(`ends a bomb of ${encoding} at its limit, and at its ratio before that`, async () => {
      const bomb = make(48 * 1024 * 1024)
      const server = await startTestServer(opened, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb))
      const client = openTestClient(opened)
      const url = `http://127.0.0.1:${server.port}/`
      const large = await failureOf(ask(client, url, { limits: { maxBodyBytes: 500_000 } }))
      expect([large.code, large.message]).to.deep.equal([
        'http_response_too_large',
        'The answer of “127.0.0.1” is too large: its decompressed body is larger than 500000 bytes.',
      ])
      const swollen = await failureOf(ask(client, url, { limits: { maxBodyBytes: 60 * 1024 * 1024 } }))
      expect(swollen.message).to.contain('expands to more than 250 times')
    })
  }

  it('ends a plain body that is too large, and accepts one of exactly the limit', async () => {
    const server = await startTestServer(opened, (_, response) => response.end(Buffer.alloc(100_000)))
    const client = openTestClient(opened)
    const url = `http://127.0.0.1:${server.port}/`
    expect((await ask(client, url, { limits: { maxBodyBytes: 100_000 } })).body).to.have.length(100_000)
    expect((await failureOf(ask(client, url, { limits: { maxBodyBytes: 99_999 } }))).code).to.equal('http_response_too_large')
  })

  it('refuses encodings that it did not request, and stacked ones', async () => {
    for (const encoding of ['compress', 'gzip, gzip', 'br, gzip']) {
      const server = await startTestServer(opened, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('x'))
      expect((await failureOf(ask(openTestClient(opened), `http://127.0.0.1:${server.port}/`))).code).to.equal('http_response_invalid')
    }
  })

  it('accepts a response without a body, encoded or not', async () => {
    const server = await startTestServer(opened, ({ method }, response) =>
      response.writeHead(method === 'HEAD' ? 200 : 204, { 'content-encoding': 'gzip' }).end(),
    )
    const client = openTestClient(opened)
    for (const method of ['HEAD', 'GET']) expect((await ask(client, `http://127.0.0.1:${server.port}/`, { method })).body).to.have.length(0)
  })

  it('passes on a stream as it arrives, and releases the connection when the reader leaves', async () => {
    const closed: Promise<void>[] = []
    const server = await startTestServer(opened, (_, response) => {
      closed.push(new Promise((resolve) => response.once('close', () => resolve())))
      response.write('first')
    })
    const client = openTestClient(opened)
    const request = { url: `http://127.0.0.1:${server.port}/`, ...local }
    const { body, status } = await client.stream(request, { signal })
    expect(status).to.equal(200)
    for await (const piece of body) {
      expect(text(piece)).to.equal('first')
      break
    }
    await closed[0]
    const unread = await client.stream(request, { signal })
    await unread.close()
    await unread.close()
    await closed[1]
  })
})
