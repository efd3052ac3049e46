import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree, repositoryRoot } from './repository-tree.js'

const run = 'kernel/scripts/test.mjs'
const passing = "describe('one', () => {\n  it('passes', () => {})\n  it('passes too', () => {})\n})\n"
const failing =
  "describe('two', () => {\n  it('passes', () => {})\n  it('breaks', () => {\n    throw new Error('broken on purpose')\n  })\n})\n"
const recording =
  "describe('recorded', () => {\n  it('reads one', () => {})\n  it('reads another', () => {})\n  it('reads a third', () => {})\n})\n"
/** Stands for all checks, which take their time. */
const failingCheck = `
import { writeFileSync } from 'node:fs'
writeFileSync(process.argv.find((argument) => argument.startsWith('--result=')).slice(9), '["stand-in"]')
`

describe('npm test', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    await tree.writeAll({
      'plugins/one/src/one.test.ts': passing,
      'plugins/one/src/long.soak.test.ts': "it('kills in numbers', () => {})\n",
      'plugins/two/src/two.test.ts': failing,
      'examples/three/src/three.recordings.test.ts': recording,
      'sdk/src/only.test.ts': "it.only('is the only one', () => {})\n",
      'kernel/cli/src/leak.test.ts':
        "declare const process: { exit(status: number): void }\n\nit('ends the process', () => process.exit(0))\n",
    })
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
  })

  after(() => tree.remove())

  it('runs all tests of a package that is named, ends with the sum on a separate line, and exits with 0 when all passed', async () => {
    const result = await tree.node([run, 'plugins/one'])
    expect(result.output).to.match(/\n3 passed, 0 failed\n$/)
    expect(result.output).to.match(/plugins\/one +3 +0 +\d/)
    expect(result.code).to.equal(0)
  })

  it('runs a single file by its path or the end of it, beyond the gate too, and beside the packages that are named', async () => {
    const single = await tree.node([run, 'plugins/one/src/long.soak.test.ts'], { FIXTURES_DIR: tree.root })
    expect(single.output)
      .to.match(/kills in numbers/)
      .and.match(/plugins\/one +1 +0 +\d.*\nIn .*\nUnstable files: 0\n1 passed, 0 failed\n$/)
    expect(single.code).to.equal(0)
    const mixed = await tree.node([run, 'two', 'one.test.ts', 'three.recordings.test.ts'], { FIXTURES_DIR: path.join(tree.root, 'absent') })
    expect(mixed.output)
      .to.match(/\nplugins\/one +2 +0 .*\nplugins\/two +1 +1 /)
      .and.match(/\n3 recording tests were not run: /)
    expect(mixed.output)
      .to.match(/\n3 passed, 1 failed\n$/)
      .and.not.include('kills in numbers')
  })

  it('refuses the name of a file that is not there, and says what to write', async () => {
    for (const name of ['plugins/one/src/on.test.ts', 'e.test.ts']) {
      const result = await tree.node([run, 'plugins/one', name])
      expect(result.output).to.include(
        `✗ no test file is named "${name}"\n→ Write its path from the root, such as test/src/chats/branch-model.test.ts\n`,
      )
      expect(result.code).to.equal(2)
    }
  })

  it('shows why a test failed, sums over packages, and exits with 1', async () => {
    const result = await tree.node([run, 'plugins/'])
    expect(result.output).to.include('broken on purpose')
    expect(result.output).to.include('(src/two.test.ts:4')
    expect(result.output).to.match(/\n4 passed, 1 failed\n$/)
    expect(result.code).to.equal(1)
  })

  it('refuses a test that would skip others', async () => {
    const result = await tree.node([run, 'sdk'])
    expect(result.output).to.match(/forbid|only/i)
    expect(result.output).to.match(/\n\d+ passed, [1-9]\d* failed\n$/)
    expect(result.code).to.equal(1)
  })

  it('counts a run that ended before its tests did as a failure', async () => {
    const result = await tree.node([run, 'kernel'])
    expect(result.output).to.include('kernel/cli: it ended before its tests did (status 0)')
    expect(result.output).to.match(/\n0 passed, 1 failed\n$/)
    expect(result.code).to.equal(1)
  })

  it('reports in one line how many recording tests were skipped, and fails when they are required', async () => {
    const absent = { FIXTURES_DIR: path.join(tree.root, 'absent') }
    const result = await tree.node([run, 'one', 'three'], absent)
    expect(result.output.match(/^.*recording.*$/gm)).to.deep.equal([
      `3 recording tests were not run: ${absent.FIXTURES_DIR} does not exist (FIXTURES_DIR names another folder)`,
    ])
    expect(result.code).to.equal(0)
    const required = await tree.node([run, 'one', 'three'], { ...absent, REQUIRE_FIXTURES: '1' })
    expect(required.output).to.match(/\n3 passed, 1 failed\n$/)
    expect(required.code).to.equal(1)
  })

  it('runs the recording tests if the recordings exist', async () => {
    const result = await tree.node([run, 'three'], { FIXTURES_DIR: tree.root })
    expect(result.output).to.match(/\n3 passed, 0 failed\n$/)
  })

  it('runs the checks and the gate when no package is named, and counts a broken check', async () => {
    const result = await tree.node([run], { FIXTURES_DIR: tree.root })
    expect(result.output).to.match(/✓ types: /)
    expect(result.output).to.match(/✗ api-report: /)
    expect(result.output).to.match(/Checks that failed: .*api-report/)
    expect(result.output).to.include('(the gate; npm run test:full runs all tests)')
    expect(result.output).to.match(/\nplugins\/one +2 +0 /)
    expect(result.code).to.equal(1)
  })

  it('lists the packages when none matches', async () => {
    const result = await tree.node([run, 'nothing'])
    expect(result.output).to.include('no package matches "nothing"\n→ Packages: sdk, kernel/cli, plugins/one, plugins/two, examples/three')
    expect(result.code).to.equal(2)
  })

  it('runs the checks and all tests with --full', async () => {
    await tree.write('kernel/scripts/check.mjs', failingCheck)
    const result = await tree.node([run, '--full'], { FIXTURES_DIR: tree.root })
    expect(result.output).to.include('Checks that failed: stand-in')
    expect(result.output).not.to.include('the gate')
    expect(result.output).to.match(/\nplugins\/one +3 +0 /)
  })
})

/**
 * A compiled test that says when it begins and when it ends, and in between waits for a file of
 * another package.
 */
const writing = (name: string, awaited?: string): string => `
import { appendFileSync, existsSync } from 'node:fs'
it('writes', async () => {
  appendFileSync('../../order', '${name} begins\\n')
  appendFileSync('../../${name}', '')
  ${awaited === undefined ? '' : `while (!existsSync('../../${awaited}')) await new Promise((resolve) => setTimeout(resolve, 10))`}
  appendFileSync('../../order', '${name} ends\\n')
})
`

describe('npm test, over several processes', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    const sources = ['plugins/one/src/left.test.ts', 'plugins/two/src/a.alone.test.ts', 'plugins/two/src/right.test.ts']
    for (const source of sources) await tree.write(source, "it('is replaced', () => {})\n")
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
    await tree.writeAll({
      'plugins/one/dist/left.test.js': writing('left', 'right'),
      'plugins/two/dist/right.test.js': writing('right', 'left'),
      'plugins/two/dist/a.alone.test.js': writing('alone'),
    })
  })

  after(() => tree.remove())

  it('runs packages in parallel, then files that must run alone, and sums up by package', async () => {
    const result = await tree.node([run, 'plugins/', '--concurrency=2'], { FIXTURES_DIR: tree.root })
    expect(result.output).to.match(
      /plugins\/one +1 +0 +\d.*\nplugins\/two +2 +0 +\d.*\nIn .*, 2 at a time\nUnstable files: 0\n3 passed, 0 failed\n$/,
    )
    const order = (await readFile(path.join(tree.root, 'order'), 'utf8')).trim().split('\n')
    expect(order.slice(0, 2)).to.have.members(['left begins', 'right begins'])
    expect(order.slice(4)).to.deep.equal(['alone begins', 'alone ends'])
  })

  it('assigns every file to one process by what it costs, the same each time, and long processes first', async () => {
    const plan = await import(pathToFileURL(path.join(repositoryRoot, 'kernel/scripts/lib/test-plan.mjs')).href)
    const { planTests } = plan as TestPlanning
    const names = Array.from({ length: 60 }, (_, index) => `${index + 100}.test.ts`)
    for (const name of [...names, '200.recordings.test.ts', '201.alone.recordings.test.ts']) await tree.write(`sdk/src/many/${name}`, '')
    const costs = { 'sdk/src/many/130.test.ts': 145, 'sdk/src/many/131.test.ts': 140 }
    const { beside, alone } = planTests(tree.root, ['plugins/one', 'sdk'], { recordings: true, costs, whole: [] })
    expect(beside.map(({ folder }) => folder)).to.deep.equal(['sdk', 'sdk', 'sdk', 'plugins/one'])
    // The two dear ones stand in processes of their own, and the others fill up what is left.
    const places = ['130', '131'].map((name) => beside.findIndex(({ files }) => files.includes(`sdk/src/many/${name}.test.ts`)))
    expect(new Set(places).size).to.equal(2)
    const rest = beside.slice(0, 3).map(({ files }) => files.length)
    expect(Math.max(...rest)).to.equal(rest[[0, 1, 2].findIndex((index) => !places.includes(index))])
    const dealt = beside.flatMap(({ files }) => files).sort()
    const expected = [...names, '200.recordings.test.ts'].map((name) => `sdk/src/many/${name}`)
    expect(dealt).to.deep.equal(['plugins/one/src/left.test.ts', ...expected])
    expect(alone).to.deep.equal([{ folder: 'sdk', files: ['sdk/src/many/201.alone.recordings.test.ts'] }])
    expect(planTests(tree.root, ['plugins/one', 'sdk'], { recordings: true, costs, whole: [] })).to.deep.equal({ beside, alone })
    expect(planTests(tree.root, ['plugins/one', 'sdk'], { recordings: true, costs, whole: ['sdk'] }).beside).to.have.length(2)
    const gate = planTests(tree.root, ['plugins/two', 'sdk'], { recordings: true, gate: true, costs })
    expect(gate.beside.flatMap(({ files }) => files))
      .to.have.lengthOf(62)
      .and.include('sdk/src/many/200.recordings.test.ts')
    expect(gate.alone).to.deep.equal([])
    const without = planTests(tree.root, ['sdk'], { recordings: false })
    expect(without.beside.flatMap(({ files }) => files)).to.have.lengthOf(60)
    expect(without.alone).to.deep.equal([])
  })

  it('leaves out of the gate what its name marks, and nothing else', async () => {
    const module = await import(pathToFileURL(path.join(repositoryRoot, 'kernel/scripts/lib/test-files.mjs')).href)
    const { isInGate, runsAlone } = module as Record<'isInGate' | 'runsAlone', (file: string) => boolean>
    const marks = ['alone', 'escapes', 'packaging', 'screens', 'soak', 'twins']
    expect(marks.filter((mark) => isInGate(`sdk/src/soak/a.${mark}.test.ts`))).to.deep.equal([])
    expect(marks.filter((mark) => runsAlone(`sdk/src/a.recordings.${mark}.test.ts`))).to.deep.equal(['alone', 'soak'])
    for (const name of ['a', 'soak', 'a.recordings', 'a.property']) expect(isInGate(`sdk/src/soak/${name}.test.ts`), name).to.equal(true)
  })

  it('knows every mark in the names of the test files', async () => {
    const folder = path.join(repositoryRoot, 'kernel/scripts/lib')
    const files = (await import(pathToFileURL(path.join(folder, 'test-files.mjs')).href)) as TestFiles
    const workspaces = (await import(pathToFileURL(path.join(folder, 'workspaces.mjs')).href)) as Workspaces
    const known = ['alone', 'escapes', 'packaging', 'property', 'recordings', 'screens', 'soak', 'twins']
    const names = workspaces.listWorkspaces(repositoryRoot).flatMap((each) => files.listTestFiles(repositoryRoot, each))
    expect(names.filter((name) => !files.marksOf(name).every((mark) => known.includes(mark)))).to.deep.equal([])
    expect(names.length).to.be.greaterThan(1000)
  })

  it('knows the cost of no file that is not there', async () => {
    const costs = await import(pathToFileURL(path.join(repositoryRoot, 'kernel/scripts/lib/test-costs.mjs')).href)
    const { dearFiles } = costs as { readonly dearFiles: Readonly<Record<string, number>> }
    const missing = Object.keys(dearFiles).filter((file) => !existsSync(path.join(repositoryRoot, file)))
    expect(missing).to.deep.equal([])
  })
})

/** A compiled test file whose last test fails in the first process that runs it only. */
const failingOnce = (title: string): string => `
import { existsSync, writeFileSync } from 'node:fs'
describe('${title}', () => {
  it('is steady', () => {})
  it('breaks once', () => {
    if (existsSync('${title}.seen')) return
    writeFileSync('${title}.seen', '')
    throw new Error('broken by chance\\nwith a second line')
  })
})
`

/** A compiled test file that ends its process at `moment`, in the first process that runs it only. */
const endingOnce = (title: string, moment: 'test' | 'exit'): string => `
import { existsSync, writeFileSync } from 'node:fs'
it('${title} ends its process once', () => {
  if (existsSync('${title}.seen')) return
  writeFileSync('${title}.seen', '')
  const end = () => process.kill(process.pid, 'SIGKILL')
  ${moment === 'test' ? 'end()' : "process.once('exit', end)"}
})
`

/** A compiled test file that has fewer tests in the second process that runs it. */
const shrinking = `
import { existsSync, writeFileSync } from 'node:fs'
if (!existsSync('shrinking.seen')) {
  writeFileSync('shrinking.seen', '')
  it('is there once', () => {
    throw new Error('broken')
  })
}
`

/** A compiled test file that notes each time it runs. */
const noting = (name: string): string => `
import { appendFileSync } from 'node:fs'
it('notes ${name}', () => appendFileSync('runs', '${name}\\n'))
`

describe('npm test, when tests fail', () => {
  let tree: RepositoryTree
  const many = Array.from({ length: 13 }, (_, index) => `many-${index + 10}`)
  const compiled: Readonly<Record<string, string>> = {
    'plugins/one/flaky': failingOnce('flaky'),
    'plugins/one/steady': noting('steady'),
    'plugins/two/a-first': noting('first'),
    'plugins/two/b-crash': endingOnce('crash', 'test'),
    'plugins/two/c-last': noting('last'),
    'examples/three/at-the-end': endingOnce('end', 'exit'),
    'kernel/cli/shrinking': shrinking,
    ...Object.fromEntries(many.map((name) => [`sdk/${name}`, failingOnce(name)])),
  }
  const inFolder = (name: string, folder: string, extension: string): string =>
    path.join(path.dirname(name), folder, `${path.basename(name)}.test.${extension}`)

  before(async () => {
    tree = await createRepositoryTree()
    for (const name of Object.keys(compiled)) await tree.write(inFolder(name, 'src', 'ts'), "it('is replaced', () => {})\n")
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
    for (const [name, content] of Object.entries(compiled)) await tree.write(inFolder(name, 'dist', 'js'), content)
  })

  after(() => tree.remove())

  const runsOf = async (folder: string): Promise<readonly string[]> =>
    (await readFile(path.join(tree.root, folder, 'runs'), 'utf8')).trim().split('\n')

  it('runs only the file that failed once more, and lists it as unstable if it passes', async () => {
    const result = await tree.node([run, 'plugins/one'])
    expect(result.output).to.include('✗ plugins/one: 2 passed, 1 failed')
    expect(result.output).to.include('Running 1 test file once more, each alone …')
    expect(result.output).to.match(
      /\nUnstable files: 1\n {2}unstable: plugins\/one\/src\/flaky\.test\.ts: flaky breaks once: broken by chance\n3 passed, 0 failed\n$/,
    )
    expect(await runsOf('plugins/one')).to.deep.equal(['steady'])
    expect(result.code).to.equal(0)
  })

  it('says of a stable run that no file was unstable', async () => {
    const result = await tree.node([run, 'plugins/one'])
    expect(result.output).to.match(/\nUnstable files: 0\n3 passed, 0 failed\n$/)
    expect(result.output).not.to.include('once more')
  })

  it('runs again what a process did not finish, names the file at which it ended, and keeps what had ended', async () => {
    const result = await tree.node([run, 'plugins/two'])
    expect(result.output).to.include('plugins/two: it ended before its tests did (SIGKILL)')
    expect(result.output).to.match(
      /\nUnstable files: 1\n {2}unstable: plugins\/two\/src\/b-crash\.test\.ts: it ended before its tests did \(SIGKILL\)\n3 passed, 0 failed\n$/,
    )
    expect(await runsOf('plugins/two')).to.deep.equal(['first', 'last'])
    expect(result.code).to.equal(0)
  })

  it('runs all files of a process again that failed after its tests', async () => {
    const result = await tree.node([run, 'three'])
    expect(result.output).to.match(/\n {2}unstable: examples\/three: it failed after its tests \(SIGKILL\)\n1 passed, 0 failed\n$/)
    expect(result.code).to.equal(0)
  })

  it('counts a file as failed that runs less the second time', async () => {
    const result = await tree.node([run, 'kernel'])
    expect(result.output).to.include('kernel/cli/src/shrinking.test.ts: it ran only 0 tests the second time')
    expect(result.output).to.match(/\nUnstable files: 0\n0 passed, 1 failed\n$/)
    expect(result.code).to.equal(1)
  })

  it('fails a run with more than twelve unstable files', async () => {
    const result = await tree.node([run, 'sdk'])
    expect(result.output).to.include('\nUnstable files: 13, more than 12, which is a failure of the run\n')
    expect(result.output).to.match(/\n26 passed, 1 failed\n$/)
    expect(result.code).to.equal(1)
  })

  it('does not hide what fails now and then from the run that looks for it', async () => {
    await rm(path.join(tree.root, 'plugins/one/flaky.seen'))
    const result = await tree.node(['kernel/scripts/test-repeat.mjs', 'plugins/one', '2'])
    expect(result.output).to.include('✗ run 1 of 2, plugins/one: 2 passed, 1 failed').and.include('1 of 2 runs passed')
    expect(result.code).to.equal(1)
  })
})

describe('npm test, when a process fails after its tests', () => {
  let tree: RepositoryTree
  const many = Array.from({ length: 101 }, (_, index) => `sdk/many-${index + 100}`)
  const compiled: Readonly<Record<string, string>> = {
    'plugins/one/flaky': failingOnce('flaky'),
    'plugins/one/ending': "it('kills its process', () => void process.once('exit', () => process.kill(process.pid, 'SIGKILL')))\n",
    'plugins/two/flaky': failingOnce('flaky'),
    'plugins/two/ending': endingOnce('ending', 'exit'),
    ...Object.fromEntries(many.map((name) => [name, "it('breaks', () => {\n  throw new Error('broken')\n})\n"])),
  }

  before(async () => {
    tree = await createRepositoryTree()
    for (const name of Object.keys(compiled))
      await tree.write(`${path.dirname(name)}/src/${path.basename(name)}.test.ts`, "it('is replaced', () => {})\n")
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
    for (const [name, content] of Object.entries(compiled))
      await tree.write(`${path.dirname(name)}/dist/${path.basename(name)}.test.js`, content)
  })

  after(() => tree.remove())

  it('sees it beside a failed test, and fails if it happens again', async () => {
    const result = await tree.node([run, 'plugins/one'])
    expect(result.output).to.include('✗ plugins/one: 2 passed, 1 failed').and.include('plugins/one: it failed after its tests (SIGKILL)')
    expect(result.output).to.include('plugins/one/src/ending.test.ts: it failed after its tests (SIGKILL)')
    expect(result.output).to.match(/\n {2}unstable: plugins\/one\/src\/flaky\.test\.ts: .*\n3 passed, 1 failed\n$/)
    expect(result.code).to.equal(1)
  })

  it('lists both as unstable if they do not happen again', async () => {
    const result = await tree.node([run, 'plugins/two'])
    expect(result.output).to.include('\n  unstable: plugins/two: it failed after its tests (SIGKILL)\n')
    expect(result.output).to.include('\n  unstable: plugins/two/src/flaky.test.ts: flaky breaks once: broken by chance\n')
    expect(result.output).to.match(/\n3 passed, 0 failed\n$/)
    expect(result.code).to.equal(0)
  })

  it('runs nothing again when more than a hundred files have failed', async () => {
    const result = await tree.node([run, 'sdk'])
    expect(result.output).to.include('101 test files failed or did not end, more than 100: they are not run again.')
    expect(result.output).to.match(/\nUnstable files: 0\n0 passed, 101 failed\n$/)
    expect(result.code).to.equal(1)
  })
})

interface TestFiles {
  listTestFiles(root: string, folder: string): readonly string[]
  marksOf(file: string): readonly string[]
}

interface Workspaces {
  listWorkspaces(root: string): readonly string[]
}

interface TestPlanning {
  planTests(
    root: string,
    packages: readonly string[],
    options: {
      readonly recordings: boolean
      readonly gate?: boolean
      readonly costs?: Readonly<Record<string, number>>
      readonly whole?: readonly string[]
    },
  ): TestPlan
}

interface TestPlan {
  readonly beside: readonly { readonly folder: string; readonly files: readonly string[] }[]
  readonly alone: TestPlan['beside']
}

describe('the reporter of the test run', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    await tree.write(
      'plugins/one/open.js',
      "import net from 'node:net'\nit('opens a port', (done) => net.createServer().listen(0, done))\n",
    )
    await tree.write('plugins/one/endless.js', "it('never ends', () => new Promise((resolve) => setInterval(resolve, 1e6, 0)))\n")
  })

  after(() => tree.remove())

  const mocha = (file: string, ...options: readonly string[]): readonly string[] => [
    ...['node_modules/mocha/bin/mocha.js', '--timeout', '0', '--reporter', path.join(tree.root, 'kernel/scripts/lib/test-reporter.mjs')],
    ...options.flatMap((option) => ['--reporter-option', option]),
    file,
  ]

  it('ends a run that an open handle keeps alive, and names the handle', async () => {
    const result = await tree.node(mocha('plugins/one/open.js', 'graceMs=200'))
    expect(result.output).to.match(/a resource that they opened keeps the process alive\.\nStill open: .*TCPServerWrap ×1/)
    expect(result.code).to.equal(1)
  })

  it('notes what was still open in the result', async () => {
    const file = path.join(tree.root, 'result.json')
    await tree.node(mocha('plugins/one/open.js', 'graceMs=200', `result=${file}`))
    const result = JSON.parse(await readFile(file, 'utf8')) as { readonly hasEnded: boolean; readonly stillOpen: string }
    expect(result.hasEnded).to.equal(true)
    expect(result.stillOpen).to.include('TCPServerWrap ×1')
  })

  it('ends a run after its limit, and names the current test', async () => {
    const result = await tree.node(mocha('plugins/one/endless.js', 'limitMs=300'))
    expect(result.output).to.match(/The run was stopped after .* Current test: never ends\nStill open: .*Timeout ×\d/)
    expect(result.code).to.equal(1)
  })
})

/**
 * Code that never ends, in a process that hears no signal. What it starts does not either: a child, some
 * that lead a process group, and one whose parent ends before it. `never` writes the ids of all to `pids`.
 */
const endless = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const deaf = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000); process.stdout.write(process.pid + ' ')"
const start = (code, options = {}) => spawn(process.execPath, ['--eval', code], { stdio: ['ignore', 'pipe', 'inherit'], ...options })
const parent = (more) => \`const { spawn } = require('node:child_process')
spawn(process.execPath, ['--eval', \${JSON.stringify(deaf)}], { stdio: ['ignore', 'inherit', 'inherit'], detached: true }); \${more}\`
const never = async () => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined)
  const children = [start(deaf), start(parent(deaf)), start(parent('setInterval(() => {}, 1000)'), { detached: true })]
  let text = ''
  for (const child of children) child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece
    const pids = [process.pid, children[2].pid, ...text.trim().split(' ')]
    if (pids.length === 6) writeFileSync('pids', pids.join(' '))
  })
  await new Promise(() => undefined)
}
`

describe('scripts that start processes, when they are interrupted', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    await tree.write('plugins/one/src/endless.test.ts', "it('is replaced', () => {})\n")
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
    await tree.writeAll({
      'plugins/one/dist/endless.test.js': `${endless}it('never ends', never)\n`,
      'test/src/campaigns/endless.ts': '',
      'test/dist/campaigns/endless.js': `${endless}export const run = never\n`,
      'test/dist/bench/main.js': `${endless}await never()\n`,
      'test/package.json': '{ "type": "module" }',
    })
  })

  after(() => tree.remove())

  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
      throw error
    }
  }

  for (const [script, argument, signal, status] of [
    ['test', 'plugins/one', 'SIGINT', 130],
    ['test', 'plugins/one', 'SIGTERM', 143],
    ['test', 'plugins/one', 'SIGHUP', 129],
    ['test-repeat', 'plugins/one', 'SIGTERM', 143],
    ['soak', 'endless', 'SIGINT', 130],
    ['bench', '', 'SIGTERM', 143],
  ] as const)
    it(`${script} ends everything that it has started on ${signal}, and then itself with ${status}`, async () => {
      const file = path.join(tree.root, argument.includes('/') ? argument : '.', 'pids')
      await rm(file, { force: true })
      const running = tree.start([`kernel/scripts/${script}.mjs`, ...(argument === '' ? [] : [argument])])
      await eventually(() => existsSync(file), { within: 30_000, what: 'the processes that it starts' })
      const pids = (await readFile(file, 'utf8')).split(' ').map(Number)
      expect(pids).to.have.length(6)
      try {
        expect(pids.filter((pid) => !isRunning(pid))).to.deep.equal([])
        running.signal(signal)
        const { code, output } = await running.ended
        // None ends by itself. The first process of the system takes note of the end of orphans a moment later.
        await eventually(() => expect(pids.filter(isRunning)).to.deep.equal([]))
        expect(code, output).to.equal(status)
        expect(output).to.include(`Interrupted (${signal}): ending what was started`).and.not.include(' passed, ')
      } finally {
        for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
      }
    })

  it('ends what a process that has ended before left in its group', async () => {
    const code = `
      import { runCommand } from './kernel/scripts/lib/child-process.mjs'
      import { runScript } from './kernel/scripts/lib/failure.mjs'
      await runScript(async () => {
        const { output } = await runCommand('/bin/sh', ['-c', 'sleep 1000 >/dev/null 2>&1 & echo $!'], { group: true })
        process.stdout.write('left ' + output)
        await runCommand('sleep', ['1000'])
      })`
    const running = tree.start(['--input-type=module', '--eval', code])
    await running.printed(/left \d+\n/)
    running.signal('SIGTERM')
    const { code: status, output } = await running.ended
    expect(status, output).to.equal(143)
    const pid = Number(/left (\d+)/.exec(output)?.[1])
    await eventually(() => expect(isRunning(pid)).to.equal(false))
  })
})
