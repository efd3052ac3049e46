import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { installSdk, unpackExample } from '../support/packed-sdk.js'

const run = promisify(execFile)

const examples = [
  {
    example: 'feature-journal',
    contributes: ['http.route', 'agent.prompt-section', 'tool.source', 'chat.part', 'user.data', 'scheduler.job'],
  },
  { example: 'channel-lines', contributes: ['channel'] },
  { example: 'memory-markdown', contributes: ['memory.backend'] },
  { example: 'panel-tally', contributes: ['http.route', 'console.panel', 'user.data'] },
  { example: 'provider-scripted', contributes: ['provider.adapter'] },
  { example: 'search-marginalia', contributes: ['search.provider'] },
  { example: 'tool-dice', contributes: ['tool'] },
  { example: 'vault-lockbox', contributes: ['vault.connector'] },
]

for (const { example, contributes } of examples)
  describe(`the example ${example}, built against the packed SDK alone`, function () {
    this.timeout(120_000)
    let folder: string

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'packed-example-'))
      await unpackExample(folder, example)
    })
    after(() => rm(folder, { recursive: true, force: true }))

    const npm = (...parameters: readonly string[]) => run('npm', [...parameters], { cwd: folder, timeout: 100_000 })

    it('builds, writes its manifest and passes the contract suite', async () => {
      await npm('run', 'build', '--offline')
      const manifest = JSON.parse(await readFile(join(folder, 'dist/plugin.json'), 'utf8')) as Record<string, unknown>
      expect(manifest).to.deep.include({ id: example, apiVersion: 1, contributes, entry: './index.js' })
      // Mocha's two seconds are too few beside other tests. What fails is said on standard output.
      const { stdout } = await npm('test', '--offline', '--', '--timeout', '60000').catch((error: { readonly stdout?: string }) => ({
        stdout: error.stdout ?? String(error),
      }))
      expect(stdout).to.match(/\b\d{2,} passing/)
      expect(stdout).to.not.match(/\d failing/)
    })

    it('packs the files that a deployment needs and no tests', async () => {
      const { stdout } = await npm('pack', '--json', '--dry-run', '--offline')
      const files = (JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }])[0].files.map(
        ({ path }) => path,
      )
      expect(files).to.include.members(['dist/index.js', 'dist/plugin.json', 'package.json', 'README.md'])
      expect(files.filter((path) => path.includes('.test.'))).to.deep.equal([])
    })
  })

describe('the packed SDK', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packed-types-'))
    await installSdk(folder)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has all declarations that those of the kit for screens import', async () => {
    const kit = join(folder, 'node_modules/@agent-service/sdk/dist/web')
    const files = (await readdir(kit, { recursive: true })).filter((name) => name.endsWith('.d.ts'))
    const missing: string[] = []
    for (const file of files) {
      const text = (await readFile(join(kit, file), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\//g, '')
      for (const [, name = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
        if (!existsSync(join(kit, dirname(file), `${name}.d.ts`))) missing.push(`${file} imports ${name}`)
    }
    expect(files).to.have.length.above(50)
    expect(missing).to.deep.equal([])
  })
})
