import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startTestServer } from '@agent-service/kernel-core/http/testing'
import { createDisposableScope } from '@agent-service/sdk/host'
import { expect } from 'chai'
import { createStaticFiles } from './static-files.js'
import { createWebInterfaces } from './web-interfaces.js'

describe('the web interface of a plugin', () => {
  it('is served with its own policy until the plugin stops, and gives way to the configured folder', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-web-'))
    const [own, configured] = [path.join(folder, 'own'), path.join(folder, 'configured')]
    await mkdir(own)
    await writeFile(path.join(own, 'index.html'), '<h1>own</h1>')
    const interfaces = createWebInterfaces()
    const pages = createStaticFiles({ folder: configured, version: '1.2.3', fallback: () => interfaces.current() })
    const server = await startTestServer({ pages })
    const scope = createDisposableScope({ name: 'test' })
    interfaces.serviceOf('console', scope).serve({ folder: own, contentSecurityPolicy: "default-src 'none'" })
    const page = await server.fetch('/')
    expect([await page.text(), page.headers.get('content-security-policy')]).to.deep.equal(['<h1>own</h1>', "default-src 'none'"])
    const sub = await server.fetch('/chats/1', { headers: { accept: 'text/html' } })
    expect([await sub.text(), sub.headers.get('content-security-policy')]).to.deep.equal(['<h1>own</h1>', "default-src 'none'"])
    for (const target of ['/api/gone', '/v1/gone', '/.well-known/gone'])
      expect((await server.fetch(target, { headers: { accept: 'text/html' } })).status, target).to.equal(404)

    await mkdir(configured)
    await writeFile(path.join(configured, 'index.html'), '<h1>configured</h1>')
    const override = await server.fetch('/')
    expect(await override.text()).to.equal('<h1>configured</h1>')
    expect(override.headers.get('content-security-policy')).to.contain("frame-ancestors 'none'")

    await rm(configured, { recursive: true })
    await scope.dispose()
    expect(await (await server.fetch('/')).text()).to.contain('No web interface is installed')
    await server.close()
    await rm(folder, { recursive: true })
  })

  it('is served with the addresses of its page below the base path, and revalidated by its content', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-web-'))
    const page =
      '<link rel="icon" href="/icon.svg"><a href="https://other.example/">x</a><img src="//cdn.example/x"><script src="/a.js"></script>'
    await writeFile(path.join(folder, 'index.html'), page)
    const fallback = () => ({ folder, contentSecurityPolicy: "default-src 'none'" })
    const pages = createStaticFiles({ folder: path.join(folder, 'gone'), version: '1', basePath: '/a&$&b', fallback })
    const server = await startTestServer({ pages, settings: { base_url: 'https://example.org/a&$&b' } })
    const expected = page.replaceAll(/"(?=\/\w)/g, () => '"/a&amp;$&amp;b')
    for (const target of ['/', '/chats/1', '/a&$&b', '/a&$&b/', '/a&$&b/chats/1', '/index.html']) {
      const answer = await server.fetch(target, { headers: { accept: 'text/html' } })
      expect([answer.status, await answer.text()], target).to.deep.equal([200, expected])
      expect(answer.headers.get('content-security-policy')).to.equal("default-src 'none'")
      expect(answer.headers.get('cache-control')).to.equal('no-cache')
      const etag = answer.headers.get('etag') ?? ''
      const again = await server.fetch(target, { headers: { accept: 'text/html', 'if-none-match': `"other", W/${etag}` } })
      expect([again.status, again.headers.get('etag'), await again.text()], target).to.deep.equal([304, etag, ''])
    }
    const head = await server.fetch('/', { method: 'HEAD' })
    expect([head.status, await head.text()]).to.deep.equal([200, ''])
    expect((await server.fetch('/', { method: 'POST' })).status).to.equal(405)
    await server.close()
    await rm(folder, { recursive: true })
  })

  it('is one at a time', async () => {
    const interfaces = createWebInterfaces()
    const scope = createDisposableScope({ name: 'test' })
    interfaces.serviceOf('first', scope).serve({ folder: '/a', contentSecurityPolicy: '' })
    expect(() => interfaces.serviceOf('second', createDisposableScope({ name: 'test' })).serve({ folder: '/b', contentSecurityPolicy: '' }))
      .to.throw('“first”')
      .with.property('code', 'web_interface_taken')
    await scope.dispose()
    interfaces.serviceOf('second', createDisposableScope({ name: 'test' })).serve({ folder: '/b', contentSecurityPolicy: '' })
    expect(interfaces.current()?.folder).to.equal('/b')
  })
})
