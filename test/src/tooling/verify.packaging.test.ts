import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

const verify = 'kernel/scripts/verify.mjs'

/** Stands for the run of all tests: says where it runs and what it finds there. */
const runThat = (ending: string): string => `
echo "folder: $PWD"
echo "tracked: $(cat tracked)"
echo "mode: $(stat -c %a .)"
echo "installed: $(ls node_modules 2>/dev/null | wc -l)"
echo "npm: \${npm_lifecycle_event:-unset}"
${ending}
`

/** Resolves when the system has no such process any more. */
const gone = (pid: number) => eventually(() => expect(() => process.kill(pid, 0)).to.throw('ESRCH'))

describe('npm run verify', () => {
  let tree: RepositoryTree

  const git = async (...args: readonly string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
    const { stdout } = await promisify(execFile)('git', [...identity, ...args], { cwd: tree.root })
    return stdout.trim()
  }
  const commit = async (files: Readonly<Record<string, string>>): Promise<string> => {
    await tree.writeAll(files)
    await git('add', '--all', '--force', '.ci', 'tracked')
    await git('commit', '--quiet', '--message', 'Test what is there')
    return git('rev-parse', 'HEAD')
  }
  const recordOf = (hash: string): string => path.join(tree.root, 'node_modules/.cache/agent-service/verified', hash)
  const folderIn = (output: string): string => /^folder: (.*)$/m.exec(output)?.[1] ?? ''

  beforeEach(async () => {
    tree = await createRepositoryTree()
    await git('init', '--quiet')
  })

  afterEach(() => tree.remove())

  it('runs the tests of HEAD on a fresh clone beside the repository, and remembers the commit', async () => {
    const hash = await commit({ '.ci/run': runThat('echo "Unstable files: 0"; echo "7 passed, 0 failed"'), tracked: 'committed\n' })
    await tree.write('tracked', 'changed since\n')
    const { code, output } = await tree.node([verify], { npm_lifecycle_event: 'verify' })
    expect(output).to.include('tracked: committed\n').and.include('installed: 0\n').and.include('npm: unset\n').and.include('mode: 755\n')
    expect(output).to.match(/changed files are not committed/)
    expect(output).to.match(/The machine: \d+ cores, load \d/)
    expect(output).to.include(`✓ ${hash.slice(0, 10)} (Test what is there) is verified: Unstable files: 0; 7 passed, 0 failed (`)
    expect(code).to.equal(0)
    expect(path.dirname(folderIn(output))).to.equal(path.dirname(tree.root))
    expect(existsSync(folderIn(output)), 'the clone is gone').to.equal(false)
    expect(JSON.parse(await readFile(recordOf(hash), 'utf8'))).to.include({ commit: hash, result: 'Unstable files: 0; 7 passed, 0 failed' })
  })

  it('remembers no commit whose tests fail', async () => {
    const hash = await commit({ '.ci/run': runThat('echo "6 passed, 1 failed"; exit 1'), tracked: '' })
    const { code, output } = await tree.node([verify])
    expect(output).to.include(`${hash.slice(0, 10)} (Test what is there) is red: 6 passed, 1 failed (status 1, `)
    expect(code).to.equal(1)
    expect(existsSync(recordOf(hash))).to.equal(false)
    expect(existsSync(folderIn(output))).to.equal(false)
  })

  it('remembers no commit of which nothing says how many tests it passed', async () => {
    const hash = await commit({ '.ci/run': runThat('echo "nothing to do"'), tracked: '' })
    const { code, output } = await tree.node([verify])
    expect(output).to.include('is not verified: .ci/run ended with 0, but printed no sum of its tests')
    expect(code).to.equal(1)
    expect(existsSync(recordOf(hash))).to.equal(false)
  })

  it('ends what it started when it is interrupted, and verifies nothing', async () => {
    const hash = await commit({ '.ci/run': runThat('trap "" TERM; sleep 1000 & echo "child: $!"; wait'), tracked: '' })
    const running = tree.start([verify])
    await running.printed(/^child: \d+$/m)
    running.signal('SIGINT')
    const { code, output } = await running.ended
    expect(output).to.include('interrupted (SIGINT): ').and.include('is not verified')
    expect(code).to.equal(130)
    expect(existsSync(recordOf(hash))).to.equal(false)
    expect(existsSync(folderIn(output))).to.equal(false)
    await gone(Number(/^child: (\d+)$/m.exec(output)?.[1]))
  })
})
