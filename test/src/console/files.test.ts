import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const built = path.join(root, 'plugins/feature-console/dist/web')

interface Chunk {
  readonly file: string
}

const manifest = () => JSON.parse(readFileSync(path.join(built, 'assets/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>
describe('the files of the console', () => {
  it('have no style attribute and no script in the page, which the policy forbids', () => {
    expect(readFileSync(path.join(built, 'index.html'), 'utf8')).to.not.match(/style=|<script(?![^>]*\bsrc=)|\bon\w+=/)
    for (const { file } of Object.values(manifest()))
      if (file.endsWith('.js')) expect(readFileSync(path.join(built, file), 'utf8'), file).to.not.match(/<[a-z][^<>`]* style=/)
  })

  it('are packed with the plugin', () => {
    const { files } = JSON.parse(readFileSync(path.join(built, '../../package.json'), 'utf8')) as { readonly files: readonly string[] }
    expect(files).to.include('dist')
    expect(statSync(path.join(built, 'service-worker.js')).size).to.be.above(100)
  })
})

describe('the console, served', function () {
  this.timeout(30_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(() => kernel.stop())
  const get = (target: string, accept = 'text/html') => fetch(new URL(target, kernel.url), { headers: { accept }, redirect: 'manual' })

  it('has a policy without inline script or style on every page', async () => {
    for (const target of ['/', '/chats/1', '/index.html']) {
      const page = await get(target)
      const policy = page.headers.get('content-security-policy') ?? ''
      expect(page.status, target).to.equal(200)
      expect(policy).to.contain("script-src 'self';").and.contain("style-src 'self';").and.contain("require-trusted-types-for 'script'")
      expect(policy).to.contain("frame-ancestors 'none'").and.not.contain('unsafe')
      expect(page.headers.get('cache-control')).to.equal('no-cache')
    }
  })

  it('keeps assets for ever, and leaves the paths of the API alone', async () => {
    const [asset = ''] = /\/assets\/index-[^"]+\.js/.exec(await (await get('/')).text()) ?? []
    expect((await get(asset)).headers.get('cache-control')).to.contain('immutable')
    for (const target of ['/api/gone', '/v1/gone', '/.well-known/gone', '/assets/gone-12345678.js'])
      expect([target, (await get(target)).status]).to.deep.equal([target, 404])
    expect((await get('/healthz')).headers.get('content-type')).to.contain('json')
  })

  it('knows the API as it is: the committed types are those of the running service', async () => {
    const script = (await import(pathToFileURL(path.join(root, 'kernel/scripts/console-api.mjs')).href)) as {
      readonly apiTypesFile: string
      renderApiTypes(root: string): Promise<string>
    }
    const rendered = await script.renderApiTypes(root)
    expect(
      readFileSync(path.join(root, script.apiTypesFile), 'utf8') === rendered,
      'run node kernel/scripts/console-api.mjs --write',
    ).to.equal(true)
  })
})
