import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Packages of the build and the tests, as a developer of a plugin would install them. */
const tools = ['typescript', 'mocha', '@types/node', '@types/mocha']

const examples = [
  { example: 'provider-scripted', point: 'provider.adapter' },
  { example: 'tool-dice', point: 'tool' },
]

for (const { example, point } of examples)
  describe(`the example ${example}, built against the packed SDK alone`, function () {
    this.timeout(120_000)
    let folder: string

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'packed-example-'))
      await installSdk(folder)
      for (const tool of tools) await link(join(root, 'node_modules', tool), join(folder, 'node_modules', tool))
      await link(join(root, 'node_modules/typescript/bin/tsc'), join(folder, 'node_modules/.bin/tsc'))
      await link(join(root, 'node_modules/mocha/bin/mocha.js'), join(folder, 'node_modules/.bin/mocha'))
      await link(
        join(folder, 'node_modules/@agent-service/sdk/bin/agent-service-plugin.mjs'),
        join(folder, 'node_modules/.bin/agent-service-plugin'),
      )
      for (const name of ['package.json', 'tsconfig.json', 'README.md', 'src']) {
        await cp(join(root, 'examples', example, name), join(folder, name), { recursive: true })
      }
    })
    after(() => rm(folder, { recursive: true, force: true }))

    const npm = (...parameters: readonly string[]) => run('npm', [...parameters], { cwd: folder, timeout: 100_000 })

    it('builds, writes its manifest and passes the contract suite', async () => {
      await npm('run', 'build', '--offline')
      const manifest = JSON.parse(await readFile(join(folder, 'dist/plugin.json'), 'utf8')) as Record<string, unknown>
      expect(manifest).to.deep.include({ id: example, apiVersion: 1, contributes: [point], entry: './index.js' })
      const { stdout } = await npm('test', '--offline')
      expect(stdout).to.match(/\b(\d\d) passing/)
      expect(stdout).to.not.contain('failing')
    })

    it('packs what a deployment needs and no tests', async () => {
      const { stdout } = await npm('pack', '--json', '--dry-run', '--offline')
      const files = (JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }])[0].files.map(
        ({ path }) => path,
      )
      expect(files).to.include.members(['dist/index.js', 'dist/plugin.json', 'package.json', 'README.md'])
      expect(files.filter((path) => path.includes('.test.'))).to.deep.equal([])
    })
  })

/** Packs the SDK as it would be published and unpacks it, with the one package that it needs. */
async function installSdk(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/@agent-service/sdk')
  await mkdir(place, { recursive: true })
  await run('npm', ['pack', '--offline', '--ignore-scripts', '--pack-destination', folder], { cwd: join(root, 'sdk') })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Error('npm packed no archive of the SDK.')
  await run('tar', ['-xzf', join(folder, archive), '-C', place, '--strip-components=1'])
  await cp(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'), { recursive: true })
}

async function link(target: string, place: string): Promise<void> {
  await mkdir(join(place, '..'), { recursive: true })
  await symlink(target, place)
}
