import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { webFolders } from './support/web-sources.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const built = path.join(root, 'plugins/feature-console/dist/web')

/** The folders of the plugins with screens, absolute. */
const pluginsWithWeb: readonly string[] = webFolders
  .filter((folder) => folder !== 'sdk/web')
  .map((folder) => path.join(root, path.dirname(folder)))

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

const manifest = () => JSON.parse(readFileSync(path.join(built, '../web-chunks.json'), 'utf8')) as Readonly<Record<string, Chunk>>
describe('the files of the console and of the screens of plugins', () => {
  it('have no style attribute and no script in the page, which the policy forbids', () => {
    expect(readFileSync(path.join(built, 'index.html'), 'utf8')).to.not.match(/style=|<script(?![^>]*\bsrc=)|\bon\w+=/)
    for (const { file } of Object.values(manifest()))
      if (file.endsWith('.js')) expect(readFileSync(path.join(built, file), 'utf8'), file).to.not.match(/<[a-z][^<>`]* style=/)
  })

  it('that are texts have their compressed forms beside them', () => {
    const texts = pluginsWithWeb
      .map((plugin) => path.join(plugin, 'dist/web'))
      .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))))
      .filter((file) => /\.(js|css|html)$/.test(file) && statSync(file).size > 4_096)
    expect(texts).to.have.length.above(90)
    for (const file of texts) {
      const text = readFileSync(file)
      expect(brotliDecompressSync(readFileSync(`${file}.br`)).equals(text), file).to.equal(true)
      expect(gunzipSync(readFileSync(`${file}.gz`)).equals(text), file).to.equal(true)
    }
    for (const { file } of Object.values(manifest()))
      if (file.endsWith('.woff2')) expect(existsSync(path.join(built, `${file}.br`))).to.equal(false)
  })

  it('of the first load are named by the page, so that none waits for another', () => {
    const page = readFileSync(path.join(built, 'index.html'), 'utf8')
    const chunks = manifest()
    const first = new Set<string>()
    const add = (name: string): void => {
      if (first.has(name)) return
      first.add(name)
      for (const imported of chunks[name]?.imports ?? []) add(imported)
    }
    add('index.html')
    for (const name of first) expect(page).to.contain(`="/${chunks[name]?.file}"`)
    expect([...first].filter((name) => chunks[name]?.file.endsWith('.js'))).to.have.length.below(5)
    expect(page).to.match(/<link rel="preload" as="fetch" href="\/api\/auth\/config" crossorigin/)
  })

  it('have icons of the sizes that phones ask for, and name no address but relative ones', () => {
    const web = JSON.parse(readFileSync(path.join(built, 'manifest.webmanifest'), 'utf8')) as {
      readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose?: string }[]
      readonly [name: string]: unknown
    }
    // Without an id it is the address of the start, which has the path below which the service is.
    expect([web['start_url'], web['scope'], web['id']]).to.deep.equal(['.', '.', undefined])
    expect(web.icons.map(({ sizes, purpose }) => [sizes, purpose])).to.deep.include.members([
      ['192x192', undefined],
      ['512x512', undefined],
      ['512x512', 'maskable'],
    ])
    for (const { src, sizes } of [...web.icons, { src: 'icon-apple-180.png', sizes: '180x180' }]) {
      const file = readFileSync(path.join(built, src))
      if (src.endsWith('.png')) expect(`${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`, src).to.equal(sizes)
    }
    expect(readFileSync(path.join(built, 'index.html'), 'utf8')).to.contain('<link rel="apple-touch-icon" href="/icon-apple-180.png">')
  })

  it('are packed with the plugin, as are the screens of other plugins, without the lists for checks', () => {
    expect(pluginsWithWeb).to.have.length.above(10)
    for (const plugin of pluginsWithWeb) {
      const { files } = JSON.parse(readFileSync(path.join(plugin, 'package.json'), 'utf8')) as { readonly files: readonly string[] }
      expect(files, plugin).to.include.members(['dist', '!dist/web-chunks.json'])
    }
    expect(existsSync(path.join(built, 'assets/manifest.json'))).to.equal(false)
    expect(statSync(path.join(built, 'service-worker.js')).size).to.be.above(100)
  })

  it('have all that the built screens of plugins load of the console, each name of it', async () => {
    const kit = path.join(built, 'assets/kit')
    const wanted = new Map<string, Set<string>>()
    for (const folder of pluginsWithWeb.map((plugin) => path.join(plugin, 'dist/web')).filter((each) => each !== path.normalize(built)))
      for (const module of readdirSync(folder).filter((name) => name.endsWith('.js')))
        for (const [, names = '', file = ''] of readFileSync(path.join(folder, module), 'utf8').matchAll(
          /(?:import|export)\s*\{([^}]*)\}\s*from\s*["']\.\.\/\.\.\/kit\/(\w+\.js)["']/g,
        ))
          for (const name of names.split(',')) wanted.set(file, (wanted.get(file) ?? new Set()).add(name.trim().replace(/ as .*/, '')))
    expect([...wanted.keys()]).to.include.members(['web.js', 'solid.js', 'forms.js'])
    for (const [file, names] of wanted) {
      const exported =
        readFileSync(path.join(kit, file), 'utf8')
          .match(/export\s*\{([^}]*)\}/)?.[1]
          ?.split(',') ?? []
      expect(
        exported.map((name) => name.trim().replace(/^.* as /, '')),
        file,
      ).to.include.members([...names])
    }
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
    const [asset = ''] = /\/assets\/common-[^"]+\.js/.exec(await (await get('/')).text()) ?? []
    const script = await get(asset)
    expect(script.headers.get('cache-control')).to.contain('immutable')
    expect([script.headers.get('content-encoding'), script.headers.get('vary')]).to.deep.equal(['gzip', 'Accept-Encoding'])
    for (const target of ['/api/gone', '/v1/gone', '/.well-known/gone', '/assets/gone-12345678.js'])
      expect([target, (await get(target)).status]).to.deep.equal([target, 404])
    expect((await get('/healthz')).headers.get('content-type')).to.contain('json')
  })
})
