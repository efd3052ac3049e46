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
