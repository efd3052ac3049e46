import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { installSdk, link } from '../support/packed-sdk.js'
import { removeFolder } from '../support/service-process.js'

const run = promisify(execFile)
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/** What the page has an author install beside the SDK, and what `init` names, by their places in this repository. */
const tools = {
  'solid-js': 'solid-js',
  vite: 'vite',
  'vite-plugin-solid': 'vite-plugin-solid',
  typescript: 'typescript-7',
  '@types/node': '@types/node',
  '@types/mocha': '@types/mocha',
  '@types/chai': '@types/chai',
  chai: 'chai',
  mocha: 'mocha',
  'happy-dom': 'happy-dom',
  '@testing-library/dom': '@testing-library/dom',
  '@testing-library/user-event': '@testing-library/user-event',
}

/** Entries for tests, which need more, or that have no declarations. */
const others = ['./web/solid', './web/testing', './web/testing/page']

/** The files that a page shows as whole ones, and `web/tsconfig.json`, which is the only JSON without a name. */
function filesOn(page: string): ReadonlyMap<string, string> {
  const files = [...page.matchAll(/^```(?:tsx?|json) file=(\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  )
  const [, configuration = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  const [, styles = ''] = /^```css\n([\s\S]*?)^```$/m.exec(page) ?? []
  return new Map([...files, ['web/tsconfig.json', configuration], ['web/screens/rolls/rolls.css', styles]])
}

/** Says of every entry for screens, and of a type that comes from the API, that the compiler finds it. */
function allEntries(entries: readonly string[]): string {
  const imports = entries.map((entry, index) => `export * as entry${index} from '@agent-service/sdk/${entry.slice(2)}'`)
  return [
    ...imports,
    `import { currentProfile } from '@agent-service/sdk/web'`,
    '// @ts-expect-error: a name is no number, and no type that fits everything',
    'export const username: number | undefined = currentProfile()?.username',
  ].join('\n')
}

describe('the page sdk/docs/web-screens.md, followed with the packed SDK in an empty folder', function () {
  this.timeout(120_000)
  let parent: string
  let folder: string
  const inFolder = (file: string, ...words: readonly string[]) =>
    run(process.execPath, [path.join(folder, 'node_modules', file), ...words], { cwd: folder })
  const command = '@agent-service/sdk/bin/agent-service-plugin.mjs'
  const compiler = 'typescript/bin/tsc'

  before(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'agent-service-kit-'))
    folder = path.join(parent, 'panel-rolls')
    await installSdk(folder)
    for (const [tool, place] of Object.entries(tools)) await link(path.join(modules, place), path.join(folder, 'node_modules', tool))
    await inFolder(command, 'init', 'console-panel', '.')
    const page = await readFile(path.join(folder, 'node_modules/@agent-service/sdk/docs/web-screens.md'), 'utf8')
    for (const [name, text] of filesOn(page)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
      await writeFile(path.join(folder, name), text)
    }
  })
  after(() => removeFolder(parent))

  it('needs nothing but Solid for the declarations of the kit', async () => {
    const { exports } = JSON.parse(await readFile(path.join(folder, 'node_modules/@agent-service/sdk/package.json'), 'utf8')) as {
      readonly exports: object
    }
    const entries = Object.keys(exports).filter((entry) => /^\.\/web(\/|$)/.test(entry) && !others.includes(entry))
    expect(entries).to.include.members(['./web', './web/forms', './web/preview'])
    const copy = path.join(folder, 'web-entries')
    await cp(path.join(folder, 'web'), copy, { recursive: true })
    await writeFile(path.join(copy, 'entries.ts'), allEntries(entries))
    await inFolder(compiler, '-p', copy, '--skipLibCheck', 'false')
  })

  it('compiles, builds, and passes its tests', async () => {
    await inFolder(compiler)
    await inFolder(compiler, '-p', 'web')
    await inFolder(command, 'build')
    expect(await readdir(path.join(folder, 'dist/web'))).to.include('screens.json')
    await run(process.execPath, ['--test', 'dist/index.test.js'], { cwd: folder })
    const { stdout } = await inFolder('mocha/bin/mocha.js', '--timeout', '60000', 'dist/web-tests/**/*.test.js')
    expect(stdout).to.match(/\b3 passing\b/)
  })

  it('finds of the kit its declarations alone in the package', async () => {
    const files = await readdir(path.join(folder, 'node_modules/@agent-service/sdk/dist/web'), { recursive: true, withFileTypes: true })
    const others = files.filter((file) => file.isFile() && !file.name.endsWith('.d.ts')).map(({ name }) => name)
    expect(others).to.deep.equal([])
  })
})
