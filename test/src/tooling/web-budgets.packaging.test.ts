import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

const built = 'plugins/one/dist/web'

/** Text that hardly compresses: at least as many kilobytes afterwards. */
function kilobytesOfNoise(count: number, name: string): string {
  const rows = Math.ceil((count * 1024) / 32)
  return Array.from({ length: rows }, (_, row) => createHash('sha256').update(`${name} ${row}`).digest('base64')).join('')
}

const chunks = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_shared.js'], css: ['assets/index.css'] },
  '_shared.js': { file: 'assets/shared.js' },
  'screens/files/files.tsx': {
    file: 'assets/files.js',
    isDynamicEntry: true,
    imports: ['_shared.js', '_table.js', '_beside.js'],
    css: ['assets/files.css'],
    dynamicImports: ['screens/files/move.tsx'],
  },
  'screens/files/move.tsx': { file: 'assets/move.js', isDynamicEntry: true, imports: ['screens/files/files.tsx'] },
  '_table.js': { file: 'assets/table.js' },
  '_beside.js': { file: 'assets/beside.js', name: 'beside' },
  'screens/terminal/emulator.ts': { file: 'assets/emulator.js', isDynamicEntry: true },
}

describe('the check web-budgets', () => {
  let tree: RepositoryTree

  /** A built web app whose files have these sizes, in kilobytes. */
  const build = async (sizes: Readonly<Record<string, number>>): Promise<void> => {
    const all = { index: 30, shared: 30, files: 10, table: 10, beside: 25, emulator: 80, move: 25 }
    await tree.writeAll({
      'plugins/one/vite.config.mjs': 'export default {}\n',
      'plugins/one/dist/web-chunks.json': JSON.stringify(chunks),
      [`${built}/assets/index.css`]: kilobytesOfNoise(sizes['index.css'] ?? 5, 'css'),
      [`${built}/assets/files.css`]: kilobytesOfNoise(sizes['files.css'] ?? 1, 'files'),
      [`${built}/assets/picture.bin`]: kilobytesOfNoise(sizes['picture.bin'] ?? 1, 'picture'),
      ...Object.fromEntries(
        Object.entries(all).map(([name, size]) => [`${built}/assets/${name}.js`, kilobytesOfNoise(sizes[`${name}.js`] ?? size, name)]),
      ),
    })
  }
  before(async () => {
    tree = await createRepositoryTree()
  })
  after(() => tree.remove())

  const refused = async (sizes: Readonly<Record<string, number>>, problem: RegExp): Promise<void> => {
    await build(sizes)
    const { code, output } = await tree.check('web-budgets')
    expect(output)
      .to.match(problem)
      .and.match(/^ {2}→ Load less at once/m)
    expect(output.match(/plugins\/one: /g)).to.have.length(1)
    expect(code).to.equal(1)
  }

  it('needs a built web app, where there is one', async () => {
    expect((await tree.check('web-budgets')).code).to.equal(0)
    await tree.write('plugins/one/vite.config.mjs', 'export default {}\n')
    expect((await tree.check('web-budgets')).output).to.match(/plugins\/one: dist\/web-chunks\.json is missing; npm run build/)
  })

  it('accepts what keeps within its limits, the terminal with its own', async () => {
    await build({})
    const { code, output } = await tree.check('web-budgets')
    expect(output).to.match(/^✓ web-budgets/)
    expect(code).to.equal(0)
  })

  it('names the scripts of a first load that is too large, with size, limit and the largest files', () =>
    refused(
      { 'index.js': 60, 'shared.js': 80, 'beside.js': 1 },
      /plugins\/one: scripts of the first load: 1[45]\d\.\d KB compressed, at most 120\.0 KB\. The largest: assets\/shared\.js 8\d\.\d KB, assets\/index\.js 6\d\.\d KB/,
    ))

  it('names the styles of a first load that are too large', () =>
    refused(
      { 'index.css': 40 },
      /plugins\/one: styles of the first load: 4\d\.\d KB compressed, at most 30\.0 KB\. The largest: assets\/index\.css/,
    ))

  it('names a lazy part that is too large with what it loads beside the first load, styles included', () =>
    refused(
      { 'files.js': 20, 'table.js': 15, 'files.css': 10 },
      /plugins\/one: the lazy part screens\/files\/files\.tsx: 4\d\.\d KB compressed, at most 40\.0 KB\. The largest: assets\/files\.js/,
    ))

  it('counts of a lazy part only what the part that loads it has not loaded', () =>
    refused({ 'move.js': 45 }, /plugins\/one: the lazy part screens\/files\/move\.tsx: 4\d\.\d KB compressed, at most 40\.0 KB/))

  it('names a terminal that exceeds even its own limit', () =>
    refused(
      { 'emulator.js': 110 },
      /plugins\/one: the lazy part screens\/terminal\/emulator\.ts: 11\d\.\d KB compressed, at most 96\.0 KB/,
    ))

  it('names the size of all files', () =>
    refused({ 'picture.bin': 5_200 }, /plugins\/one: all static files: \d{4}\.\d KB, at most 5120\.0 KB/))
})
