import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

/** Text that hardly compresses: at least as many kilobytes afterwards. */
function kilobytesOfNoise(count: number, name: string): string {
  const rows = Math.ceil((count * 1024) / 32)
  return Array.from({ length: rows }, (_, row) => createHash('sha256').update(`${name} ${row}`).digest('base64')).join('')
}

/** What an app with the kit, and the screens of two plugins, are built to. */
const builds = {
  'plugins/app': {
    'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_common.js'], css: ['assets/index.css'] },
    '_common.js': { file: 'assets/common.js', name: 'common' },
    '../../../sdk/web/index.ts': { file: 'assets/kit/web.js', name: 'web', isEntry: true, imports: ['_common.js'] },
    '../../../sdk/web/preview.ts': {
      file: 'assets/kit/preview.js',
      name: 'preview',
      isEntry: true,
      imports: ['_common.js'],
      dynamicImports: ['../../../sdk/web/preview/table.tsx'],
    },
    '../../../sdk/web/preview/table.tsx': { file: 'assets/table.js', isDynamicEntry: true, imports: ['_common.js'] },
  },
  'plugins/files': {
    'screens/files/files.tsx': {
      file: 'files.js',
      name: 'files',
      isEntry: true,
      imports: ['_rows.js', '_beside.js'],
      css: ['files.css'],
      dynamicImports: ['screens/files/move.tsx'],
    },
    'screens/files/move.tsx': { file: 'move.js', isDynamicEntry: true, imports: ['screens/files/files.tsx'] },
    'screens/files/start.ts': { file: 'files.start.js', name: 'files.start', isEntry: true, imports: ['_beside.js'], css: ['start.css'] },
    '_rows.js': { file: 'rows.js', name: 'rows' },
    '_beside.js': { file: 'beside.js', name: 'beside' },
  },
  'plugins/shell': {
    'screens/terminal/terminal.tsx': {
      file: 'terminal.js',
      name: 'terminal',
      isEntry: true,
      dynamicImports: ['screens/terminal/emulator.ts'],
    },
    'screens/terminal/emulator.ts': { file: 'emulator.js', isDynamicEntry: true },
    'screens/terminal/start.ts': { file: 'terminal.start.js', name: 'terminal.start', isEntry: true },
  },
}

/** The sizes of their files, in kilobytes. */
const usual: Readonly<Record<string, number>> = {
  'plugins/app/dist/web/assets/index.js': 20,
  'plugins/app/dist/web/assets/index.css': 5,
  'plugins/app/dist/web/assets/common.js': 30,
  'plugins/app/dist/web/assets/kit/web.js': 1,
  'plugins/app/dist/web/assets/kit/preview.js': 10,
  'plugins/app/dist/web/assets/table.js': 10,
  'plugins/app/dist/web/picture.bin': 1,
  'plugins/files/dist/web/files.js': 10,
  'plugins/files/dist/web/files.css': 1,
  'plugins/files/dist/web/rows.js': 10,
  'plugins/files/dist/web/move.js': 25,
  'plugins/files/dist/web/beside.js': 25,
  'plugins/files/dist/web/files.start.js': 2,
  'plugins/files/dist/web/start.css': 1,
  'plugins/files/dist/web/picture.bin': 1,
  'plugins/shell/dist/web/terminal.js': 10,
  'plugins/shell/dist/web/emulator.js': 80,
  'plugins/shell/dist/web/terminal.start.js': 2,
}

describe('the check web-budgets', () => {
  let tree: RepositoryTree

  /** What was built, with other sizes of these files. */
  const build = async (sizes: Readonly<Record<string, number>>): Promise<void> => {
    const files = Object.entries({ ...usual, ...sizes })
    await tree.writeAll(Object.fromEntries(files.map(([file, size]) => [file, kilobytesOfNoise(size, file)])))
    for (const [folder, chunks] of Object.entries(builds)) await tree.write(`${folder}/dist/web-chunks.json`, JSON.stringify(chunks))
  }
  before(async () => {
    tree = await createRepositoryTree()
    for (const folder of Object.keys(builds)) await tree.write(`${folder}/package.json`, JSON.stringify({ name: folder }))
  })
  after(() => tree.remove())

  const refused = async (sizes: Readonly<Record<string, number>>, problem: RegExp): Promise<void> => {
    await build(sizes)
    const { code, output } = await tree.check('web-budgets')
    expect(output)
      .to.match(problem)
      .and.match(/^ {2}→ Load less at once/m)
    expect(output.match(/\b(all|plugins\/\w+): /g)).to.have.length(1)
    expect(code).to.equal(1)
  }

  it('needs what a web app and the screens of each plugin are built to', async () => {
    expect((await tree.check('web-budgets')).code).to.equal(0)
    await tree.write('plugins/app/web/index.html', '<!doctype html>\n')
    await tree.write('plugins/files/web/screens/files/files.tsx', 'export default 1\n')
    await tree.write('plugins/shell/web/screens/terminal/terminal.tsx', 'export default 1\n')
    const { output } = await tree.check('web-budgets')
    for (const folder of Object.keys(builds)) expect(output).to.contain(`${folder}: dist/web-chunks.json is missing; npm run build`)
  })

  it('accepts what keeps within its limits, the terminal with its own', async () => {
    await build({})
    const { code, output } = await tree.check('web-budgets')
    expect(output).to.match(/^✓ web-budgets/)
    expect(code).to.equal(0)
  })

  it('names the scripts of a first load that is too large, with size, limit and the largest files', () =>
    refused(
      { 'plugins/app/dist/web/assets/common.js': 80, 'plugins/app/dist/web/assets/index.js': 60 },
      /all: scripts of the first load: 1[67]\d\.\d KB compressed, at most 120\.0 KB\. The largest: assets\/common\.js 8\d\.\d KB, assets\/index\.js 6\d\.\d KB/,
    ))

  it('counts what runs beside every screen to the first load, of all plugins together, with what it imports', () =>
    refused(
      { 'plugins/files/dist/web/files.start.js': 25, 'plugins/shell/dist/web/terminal.start.js': 30 },
      /all: scripts of the first load: 13\d\.\d KB compressed, at most 120\.0 KB\. The largest: .*terminal\.start\.js/,
    ))

  it('names the styles of a first load that are too large, those of what runs beside every screen included', () =>
    refused(
      { 'plugins/app/dist/web/assets/index.css': 20, 'plugins/files/dist/web/start.css': 15 },
      /all: styles of the first load: 3\d\.\d KB compressed, at most 30\.0 KB\. The largest: assets\/index\.css 2\d\.\d KB, start\.css/,
    ))

  it('names a screen that is too large with what it loads beside the first load, styles included', () =>
    refused(
      { 'plugins/files/dist/web/files.js': 20, 'plugins/files/dist/web/rows.js': 15, 'plugins/files/dist/web/files.css': 10 },
      /plugins\/files: the lazy part screens\/files\/files\.tsx: 4\d\.\d KB compressed, at most 40\.0 KB\. The largest: files\.js/,
    ))

  it('names a part of the kit that is too large', () =>
    refused(
      { 'plugins/app/dist/web/assets/kit/preview.js': 45 },
      /plugins\/app: the lazy part \.\.\/\.\.\/\.\.\/sdk\/web\/preview\.ts: 4\d\.\d KB compressed, at most 40\.0 KB/,
    ))

  it('counts of a lazy part only what the part that loads it has not loaded', () =>
    refused(
      { 'plugins/files/dist/web/move.js': 45 },
      /plugins\/files: the lazy part screens\/files\/move\.tsx: 4\d\.\d KB compressed, at most 40\.0 KB/,
    ))

  it('names a terminal that exceeds even its own limit', () =>
    refused(
      { 'plugins/shell/dist/web/emulator.js': 110 },
      /plugins\/shell: the lazy part screens\/terminal\/emulator\.ts: 11\d\.\d KB compressed, at most 96\.0 KB/,
    ))

  it('names the size of all files, of the app and the plugins together', () =>
    refused(
      { 'plugins/app/dist/web/picture.bin': 2_600, 'plugins/files/dist/web/picture.bin': 2_600 },
      /all: all static files: \d{4}\.\d KB, at most 5120\.0 KB/,
    ))
})
