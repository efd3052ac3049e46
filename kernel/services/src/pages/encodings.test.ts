import { appendFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { encodedRequest, startTestServer, type TestServer } from '@agent-service/kernel-core/http/testing'
import { expect } from 'chai'
import { createStaticFiles } from './static-files.js'

const ask = (server: TestServer, target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  encodedRequest(server, target, { method, headers })

const script = 'export const text = "compressed"\n'.repeat(200)
const [early, late] = [new Date(1_000_000), new Date(2_000_000)]

describe('the encodings of static files', () => {
  let folder: string
  let root: string
  let server: TestServer
  const write = async (name: string, content: string | Uint8Array, time = early): Promise<void> => {
    await writeFile(path.join(root, name), content)
    await utimes(path.join(root, name), time, time)
  }
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-encodings-'))
    root = path.join(folder, 'static')
    await mkdir(path.join(root, 'assets'), { recursive: true })
    server = await startTestServer({ pages: createStaticFiles({ folder: root, version: '1.2.3' }) })
    await write('assets/app-3f2a9c81.js', script)
    await write('assets/app-3f2a9c81.js.br', brotliCompressSync(script))
    await write('assets/app-3f2a9c81.js.gz', gzipSync(script), late)
  })
  after(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['identity;q=0, *;q=0', undefined],
    [undefined, undefined],
  ] as const) {
    it(`are sent as they lie beside the file: ${encoding ?? 'none'} for ${accepted ?? 'no header'}`, async () => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const bodies = { br: brotliCompressSync(script), gzip: gzipSync(script), none: Buffer.from(script) }
      const expected = bodies[encoding ?? 'none']
      const answer = await ask(server, '/assets/app-3f2a9c81.js', headers)
      expect([answer.status, answer.headers['content-encoding'], answer.headers.vary]).to.deep.equal([200, encoding, 'Accept-Encoding'])
      expect(answer.body.equals(expected)).to.equal(true)
      expect(answer.headers['content-type']).to.equal('text/javascript; charset=utf-8')
      expect(answer.headers['content-length']).to.equal(String(expected.length))
      expect(answer.headers['cache-control']).to.contain('immutable')
      const head = await ask(server, '/assets/app-3f2a9c81.js', headers, 'HEAD')
      expect([head.status, head.headers['content-encoding'], head.headers['content-length'], head.body.length]).to.deep.equal([
        200,
        encoding,
        String(expected.length),
        0,
      ])
      const known = await ask(server, '/assets/app-3f2a9c81.js', { ...headers, 'if-none-match': answer.headers.etag ?? '' })
      expect([known.status, known.headers.etag, known.headers.vary, known.body.length]).to.deep.equal([
        304,
        answer.headers.etag,
        'Accept-Encoding',
        0,
      ])
    })
  }

  it('have an entity tag each', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(
        async (each) => (await ask(server, '/assets/app-3f2a9c81.js', { 'accept-encoding': each })).headers.etag,
      ),
    )
    expect(new Set(tags).size).to.equal(3)
    const other = await ask(server, '/assets/app-3f2a9c81.js', { 'accept-encoding': 'br', 'if-none-match': tags[1] ?? '' })
    expect(other.status).to.equal(200)
  })

  it('are not used for a range, which is one of the file itself', async () => {
    const part = await ask(server, '/assets/app-3f2a9c81.js', { 'accept-encoding': 'br', range: 'bytes=0-5' })
    expect([part.status, part.headers['content-encoding'], String(part.body)]).to.deep.equal([206, undefined, 'export'])
    expect(part.headers['content-range']).to.equal(`bytes 0-5/${script.length}`)
    const outside = await ask(server, '/assets/app-3f2a9c81.js', { 'accept-encoding': 'br', range: 'bytes=999999-' })
    expect([outside.status, outside.headers['content-encoding']]).to.deep.equal([416, undefined])
  })

  it('that lie beside the file count if their times lack the parts of a millisecond', async () => {
    await write('copied.css', script)
    await write('copied.css.br', brotliCompressSync('/* from the sibling */'.repeat(80)))
    await utimes(path.join(root, 'copied.css'), 1_000.0006, 1_000.0006)
    const answer = await ask(server, '/copied.css', { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(answer.body).toString()).to.include('from the sibling')
  })

  it('that are older than the file, or links, are passed over', async () => {
    await write('stale.css', script, late)
    await write('stale.css.br', brotliCompressSync('secret'.repeat(400)), early)
    await writeFile(path.join(folder, 'outside.br'), brotliCompressSync('secret'.repeat(400)))
    await write('linked.css', script)
    await symlink(path.join(folder, 'outside.br'), path.join(root, 'linked.css.br'))
    await write('folder.css', script)
    await mkdir(path.join(root, 'folder.css.br'))
    for (const target of ['/stale.css', '/linked.css', '/folder.css']) {
      const answer = await ask(server, target, { 'accept-encoding': 'br' })
      expect([answer.headers['content-encoding'], String(brotliDecompressSync(answer.body))], target).to.deep.equal(['br', script])
    }
  })

  it('are made for texts that have none, and made again when the text has changed', async () => {
    await write('notes.txt', script)
    const first = await ask(server, '/notes.txt', { 'accept-encoding': 'gzip' })
    expect(first.headers).to.deep.include({
      'content-encoding': 'gzip',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect([first.headers.vary, first.headers['content-length']]).to.deep.equal(['Accept-Encoding', String(first.body.length)])
    expect(String(gunzipSync(first.body))).to.equal(script)
    const known = { 'accept-encoding': 'gzip', 'if-none-match': first.headers.etag ?? '' }
    expect((await ask(server, '/notes.txt', known)).status).to.equal(304)
    const head = await ask(server, '/notes.txt', { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.headers['content-length'], head.body.length]).to.deep.equal([String(first.body.length), 0])
    await appendFile(path.join(root, 'notes.txt'), 'more')
    const second = await ask(server, '/notes.txt', known)
    expect([second.status, String(gunzipSync(second.body))]).to.deep.equal([200, `${script}more`])
  })

  it('are not made for what is small, large, or compressed already', async () => {
    await write('small.js', 'export {}')
    await write('large.json', `"${'x'.repeat(2 * 1024 * 1024)}"`)
    await write('font.woff2', 'x'.repeat(5_000))
    await write('font.woff2.br', brotliCompressSync('x'.repeat(5_000)))
    await write('picture.png', 'x'.repeat(5_000))
    for (const [target, vary] of [
      ['/small.js', 'Accept-Encoding'],
      ['/large.json', 'Accept-Encoding'],
      ['/font.woff2', undefined],
      ['/picture.png', undefined],
    ] as const) {
      const answer = await ask(server, target, { 'accept-encoding': 'br, gzip' })
      expect([answer.status, answer.headers['content-encoding'], answer.headers.vary], target).to.deep.equal([200, undefined, vary])
    }
  })

  it('that are asked for by their names are plain files, and hidden ones are not served', async () => {
    const direct = await ask(server, '/assets/app-3f2a9c81.js.br', { 'accept-encoding': 'br' })
    expect([direct.status, direct.headers['content-encoding'], direct.headers['content-type']]).to.deep.equal([
      200,
      undefined,
      'application/octet-stream',
    ])
    await write('.env', script)
    await write('.env.br', brotliCompressSync('secret'))
    await write('gone.js.br', brotliCompressSync('secret'))
    for (const target of ['/.env', '/.env.br', '/gone.js', '/..%2foutside.br', '/linked.css.br', '/assets.br'])
      expect((await ask(server, target, { 'accept-encoding': 'br' })).status, target).to.be.oneOf([400, 404])
  })

  it('of the page below a base path are those of its rewritten text', async () => {
    const page = `<link rel="icon" href="/icon.svg">${'<p>text</p>'.repeat(200)}`
    await write('index.html', page)
    await write('index.html.br', brotliCompressSync(page))
    const fallback = () => ({ folder: root, contentSecurityPolicy: "default-src 'none'" })
    const pages = createStaticFiles({ folder: path.join(folder, 'gone'), version: '1', basePath: '/agents', fallback })
    const below = await startTestServer({ pages, settings: { base_url: 'https://example.org/agents' } })
    const expected = page.replace('"/icon', '"/agents/icon')
    const tags = new Set<string | undefined>()
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['identity', (bytes: Buffer) => bytes],
    ] as const) {
      const answer = await ask(below, '/chats/1', { accept: 'text/html', 'accept-encoding': encoding })
      expect(String(decode(answer.body)), encoding).to.equal(expected)
      expect(answer.headers.vary).to.equal('Accept-Encoding')
      expect(answer.headers['content-security-policy']).to.equal("default-src 'none'")
      tags.add(answer.headers.etag)
      const known = { accept: 'text/html', 'accept-encoding': encoding, 'if-none-match': `W/${answer.headers.etag}` }
      expect((await ask(below, '/', known)).status).to.equal(304)
    }
    expect(tags.size).to.equal(3)
    await below.close()
  })
})
