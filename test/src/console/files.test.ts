import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const built = path.join(root, 'plugins/feature-console/dist/web')

const maxScreenKilobytes = 40
/** Larger than a screen may be, each with its reason in the decision record of the console's terminal. */
const exceptions: Readonly<Record<string, number>> = { 'screens/terminal/emulator.ts': 96 }

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const manifest = () => JSON.parse(readFileSync(path.join(built, 'assets/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>
const compressed = (file: string): number => gzipSync(readFileSync(path.join(built, file))).length
const kilobytes = (bytes: number): number => bytes / 1024

/** The chunks that a chunk loads at once. */
function closure(name: string, all: Readonly<Record<string, Chunk>>, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of all[name]?.imports ?? []) closure(imported, all, found)
  return found
}

describe('the files of the console', () => {
  it('keep within their budgets: first load, styles, each screen, all of them', () => {
    const all = manifest()
    const first = Object.keys(all).find((name) => all[name]?.isEntry) ?? ''
    const atOnce = closure(first, all)
    const sizeOf = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + compressed(all[name]?.file ?? ''), 0)
    expect(kilobytes(sizeOf(atOnce)), 'scripts of the first load').to.be.below(120)
    const styles = [...atOnce].flatMap((name) => all[name]?.css ?? [])
    expect(styles).to.not.have.length(0)
    expect(kilobytes(styles.reduce((sum, file) => sum + compressed(file), 0)), 'styles of the first load').to.be.below(30)
    const screens = Object.keys(all).filter((name) => all[name]?.isDynamicEntry)
    expect(screens.length).to.be.above(3)
    for (const screen of screens) {
      const own = [...closure(screen, all)].filter((name) => !atOnce.has(name))
      expect(kilobytes(sizeOf(own)), screen).to.be.below(exceptions[screen] ?? maxScreenKilobytes)
    }
    expect(screens).to.include.members(Object.keys(exceptions))
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    expect(files.reduce((sum, file) => sum + statSync(path.join(built, file)).size, 0)).to.be.below(5 * 1024 * 1024)
  })

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
