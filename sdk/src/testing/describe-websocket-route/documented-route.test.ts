import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import ts from 'typescript'
import type { HttpErrorFormat } from '../../contracts/http-error-format/index.js'
import type { HttpSite, SiteRequest } from '../../contracts/http-site/index.js'
import { isPlugin } from '../../plugin/define-plugin.js'

const run = promisify(execFile)
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
const javaScriptOf = (code: string): string => ts.transpileModule(code, { compilerOptions }).outputText
const sdkFolder = fileURLToPath(new URL('../../../', import.meta.url))

describe('the pages of docs/points on routes', function () {
  this.timeout(30_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-points-'))
    for (const page of ['websocket-route.md', 'http-site.md', 'http-error-format.md']) {
      const text = await readFile(path.join(sdkFolder, 'docs', 'points', page), 'utf8')
      for (const [, name, code] of text.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g))
        await writeFile(path.join(folder, String(name).replace(/\.ts$/, '.js')), javaScriptOf(String(code)))
    }
    await writeFile(path.join(folder, 'package.json'), '{ "name": "dice-table", "version": "1.0.0", "type": "module" }')
    await mkdir(path.join(folder, 'node_modules', '@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(folder, 'node_modules', '@agent-service', 'sdk'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const load = (name: string): Promise<Readonly<Record<string, unknown>>> => import(pathToFileURL(path.join(folder, name)).href)

  it('have a plugin whose test passes unchanged', async () => {
    expect(isPlugin((await load('index.js'))['default'])).to.equal(true)
    const { stdout } = await run(process.execPath, ['--test'], { cwd: folder })
    expect(stdout).to.match(/pass 1\b/)
    expect(stdout).to.match(/fail 0\b/)
  })

  it('have a site that answers', async () => {
    const { createSite } = (await load('site.js')) as {
      readonly createSite: (host: string, find: (label: string) => { readonly answer: HttpSite['handle'] } | undefined) => HttpSite
    }
    const answer: HttpSite['handle'] = async ({ target }) => ({ status: 200, headers: [['x-target', target]] })
    const site = createSite('localhost', (label) => (label === 'notes' ? { answer } : undefined))
    const ask = (label: string) =>
      site.handle({ method: 'GET', label, target: '/x', headers: [], signal: new AbortController().signal } as unknown as SiteRequest)
    expect(site.host).to.equal('*.localhost')
    expect(await ask('notes')).to.deep.equal({ status: 200, headers: [['x-target', '/x']] })
    expect(await ask('other')).to.include({ status: 404 })
  })

  it('have a format of errors that answers in another protocol', async () => {
    const { faults } = (await load('error-format.js')) as { readonly faults: HttpErrorFormat }
    expect(faults.prefix).to.equal('/api/plugins/feature-feed')
    const path = '/api/plugins/feature-feed/x'
    expect(
      faults.format({ status: 422, code: 'invalid_request', detail: 'No.', path, problems: [{ path: '/name', message: 'is required' }] }),
    ).to.deep.equal({
      members: { fault: { name: 'invalid_request', text: 'No.', at: '/name' } },
      status: 400,
    })
    expect(faults.format({ status: 404, code: 'not_found', detail: 'No.', path, problems: [] })).to.deep.equal({
      members: { fault: { name: 'not_found', text: 'No.', at: null } },
    })
  })
})
