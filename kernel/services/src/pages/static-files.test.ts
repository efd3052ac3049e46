import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRequest, openSocket, rawRequest, startTestServer, type TestServer } from '@agent-service/kernel-core/http/testing'
import { expect } from 'chai'
import { createStaticFiles } from './static-files.js'

describe('static files', () => {
  let folder: string
  let server: TestServer
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-static-'))
    const root = path.join(folder, 'static')
    await mkdir(path.join(root, 'assets'), { recursive: true })
    await mkdir(path.join(root, '.git'))
    await writeFile(path.join(root, 'index.html'), '<h1>console</h1>')
    await writeFile(path.join(root, 'assets', 'app-3f2a9c81.js'), 'export {}')
    await writeFile(path.join(root, 'assets', '50% #.txt'), '0123456789')
    await writeFile(path.join(root, '.git', 'config'), 'secret')
    await writeFile(path.join(root, '.env'), 'secret')
    await writeFile(path.join(folder, 'outside.txt'), 'secret')
    await symlink(path.join(folder, 'outside.txt'), path.join(root, 'leak.txt'))
    await symlink(folder, path.join(root, 'up'))
    await symlink(path.join(root, '.env'), path.join(root, 'env.txt'))
    server = await startTestServer({ pages: createStaticFiles({ folder: root, version: '1.2.3' }) })
  })
  after(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  it('serves files with type and validators', async () => {
    const script = await server.fetch('/assets/app-3f2a9c81.js')
    expect(script.headers.get('content-type')).to.match(/^(text|application)\/javascript/)
    expect(script.headers.get('cache-control')).to.contain('immutable')
    expect(await script.text()).to.equal('export {}')
    const etag = script.headers.get('etag') ?? ''
    expect((await server.fetch('/assets/app-3f2a9c81.js', { headers: { 'if-none-match': etag } })).status).to.equal(304)
    const modified = script.headers.get('last-modified') ?? ''
    expect((await server.fetch('/assets/app-3f2a9c81.js', { headers: { 'if-modified-since': modified } })).status).to.equal(304)
    expect((await server.fetch('/assets/app-3f2a9c81.js', { headers: { 'if-none-match': '"other"' } })).status).to.equal(200)
    const head = await server.fetch('/assets/app-3f2a9c81.js', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([200, '9', ''])
  })

  it('sends a range of a file, and the size of the file if the range is not satisfiable', async () => {
    const ask = (range: string, more: Readonly<Record<string, string>> = {}) =>
      server.fetch('/assets/50%25%20%23.txt', { headers: { range, ...more } })
    const part = await ask('bytes=2-4')
    expect([part.status, part.headers.get('content-range'), await part.text()]).to.deep.equal([206, 'bytes 2-4/10', '234'])
    const tail = await ask('bytes=-3')
    expect([tail.status, await tail.text()]).to.deep.equal([206, '789'])
    const stale = await ask('bytes=2-4', { 'if-range': '"other"' })
    expect([stale.status, await stale.text()]).to.deep.equal([200, '0123456789'])
    const otherVersion = await ask('bytes=2-4', { 'if-match': '"other"' })
    expect(otherVersion.status).to.equal(206)
    const outside = await ask('bytes=20-')
    expect([outside.status, outside.headers.get('content-range')]).to.deep.equal([416, 'bytes */10'])
    expect(((await outside.json()) as { code: string }).code).to.equal('range_not_satisfiable')
  })

  it('sends the page to clients that accept HTML, and 404 to others', async () => {
    const page = { headers: { accept: 'text/html,*/*' } }
    expect(await (await server.fetch('/')).text()).to.equal('<h1>console</h1>')
    expect(await (await server.fetch('/chats/1', page)).text()).to.equal('<h1>console</h1>')
    expect((await server.fetch('/chats/1')).status).to.equal(404)
    expect((await server.fetch('/assets/gone.js', page)).status).to.equal(404)
    expect((await server.fetch('/api/gone', page)).headers.get('content-type')).to.equal('application/problem+json')
    expect((await server.fetch('/v1/gone', page)).status).to.equal(404)
    expect((await server.fetch('/index.html', { method: 'POST' })).status).to.equal(405)
    const options = await server.fetch('/', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS'])
  })

  it('disconnects a client that does not read a file', async () => {
    const root = path.join(folder, 'static')
    await writeFile(path.join(root, 'large.bin'), '')
    await truncate(path.join(root, 'large.bin'), 64 * 1024 * 1024)
    const slow = await startTestServer({ pages: createStaticFiles({ folder: root, version: '1.2.3', maxStalledMs: 200 }) })
    const socket = await openSocket(slow.port)
    try {
      socket.write(getRequest('/large.bin'))
      await once(socket, 'data')
      socket.pause()
      await slow.server.drain(15_000)
      const line = slow.log.find(({ fields }) => fields['path'] === '/large.bin')
      expect(line?.fields).to.deep.include({ status: 200, finished: false })
      expect(line?.fields['duration_ms']).to.be.within(200, 10_000)
    } finally {
      socket.destroy()
      await slow.close()
    }
  })

  it('13.4.1 13.4.3 serves no hidden files and no files outside the folder', async () => {
    for (const target of ['/.env', '/.git/config', '/%2eenv', '/leak.txt', '/up/outside.txt', '/env.txt', '/assets']) {
      const answer = await rawRequest(server.port, getRequest(target))
      expect(answer.status, target).to.equal(404)
      expect(answer.text).to.not.contain('secret')
    }
  })

  it('3.4.3 3.4.4 3.4.5 3.4.6 shows a landing page with security headers if no web interface is installed', async () => {
    const server = await startTestServer({ pages: createStaticFiles({ folder: path.join(folder, 'gone'), version: '1.2.3' }) })
    const page = await server.fetch('/')
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(await page.text()).to.contain('Agent Service is running')
    expect(page.headers.get('content-security-policy')).to.contain("frame-ancestors 'none'")
    expect(page.headers.get('x-content-type-options')).to.equal('nosniff')
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer')
    expect(page.headers.get('strict-transport-security')).to.equal(null)
    expect((await server.fetch('/other')).status).to.equal(404)
    await server.close()
  })
})
