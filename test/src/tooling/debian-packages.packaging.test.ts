import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'
import type { ProgramResult, RunningProgram } from './running-program.js'

describe('the Debian packages that tests need', () => {
  let tree: RepositoryTree

  beforeEach(async () => {
    tree = await createRepositoryTree()
    await tree.write('test/debian-packages.json', '["absent-tool"]\n')
    await stub('dpkg-query', 'exit 1')
  })

  afterEach(() => tree.remove())

  const stub = async (name: string, script: string): Promise<void> => {
    await tree.write(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> ${tree.root}/calls\n${script}\n`)
    await chmod(path.join(tree.root, 'bin', name), 0o755)
  }
  const installsTool = (): string =>
    `case "$*" in *install*) printf '' > ${tree.root}/bin/absent-tool; /bin/chmod +x ${tree.root}/bin/absent-tool;; esac`
  const requirePackages = (isRoot: boolean): Promise<ProgramResult> => startRequiring(isRoot).ended
  const startRequiring = (isRoot: boolean): RunningProgram => {
    const code = `
      import { requireDebianPackages } from './kernel/scripts/lib/debian-packages.mjs'
      import { runScript } from './kernel/scripts/lib/failure.mjs'
      await runScript(() => requireDebianPackages('.', { isRoot: ${isRoot} }))`
    return tree.start(['--input-type=module', '--eval', code], { PATH: path.join(tree.root, 'bin') })
  }
  const calls = async (): Promise<string> => readFile(path.join(tree.root, 'calls'), 'utf8')

  it('are installed as root, with a line that reports it', async () => {
    await stub('apt-get', installsTool())
    const result = await requirePackages(true)
    expect(result).to.deep.equal({ code: 0, output: 'Installing the Debian packages that the tests need: absent-tool\n' })
    expect(await calls()).to.include('apt-get install --yes --no-install-recommends --no-remove absent-tool')
  })

  it('are installed with sudo that asks for no password', async () => {
    await stub('apt-get', 'exit 1')
    await stub('sudo', installsTool())
    expect((await requirePackages(false)).code).to.equal(0)
    expect(await calls()).to.include('sudo --non-interactive apt-get install --yes')
  })

  it('are named when sudo asks for a password', async () => {
    await stub('apt-get', 'exit 1')
    await stub('sudo', 'exit 1')
    const result = await requirePackages(false)
    expect(result.output).to.match(/operating system packages that are missing: absent-tool\n→ .*sudo apt-get install absent-tool/)
    expect(result.code).to.equal(1)
    expect(await calls()).to.not.include('apt-get install')
  })

  it('are named when apt-get cannot install them, with what it printed', async () => {
    await stub('apt-get', 'echo "E: Unable to locate package"; exit 100')
    const result = await requirePackages(true)
    expect(result.output).to.include('✗ apt-get could not install: absent-tool\nE: Unable to locate package')
    expect(await calls()).to.include('apt-get update')
    expect(result.code).to.equal(1)
  })

  it('may be replaced by a command where they cannot be installed', async () => {
    await tree.write('test/debian-packages.json', '[{ "name": "absent-tool", "or": "present-tool" }]\n')
    await stub('apt-get', 'exit 100')
    await stub('sudo', 'exit 1')
    expect((await requirePackages(true)).output).to.include('✗ apt-get could not install: absent-tool')
    await stub('present-tool', 'exit 0')
    expect((await requirePackages(true)).code).to.equal(0)
    expect(await requirePackages(false)).to.deep.equal({ code: 0, output: '' })
  })

  it('are installed to the end when the run is interrupted, and the run then ends', async () => {
    const place = (name: string): string => path.join(tree.root, name)
    await promisify(execFile)('mkfifo', [place('go-on')])
    await stub('apt-get', `printf '' > ${place('begun')}; read line < ${place('go-on')}; printf '' > ${place('finished')}; exit 100`)
    const program = startRequiring(true)
    await eventually(() => existsSync(place('begun')), { within: 30_000, what: 'the installation' })
    program.signal('SIGTERM')
    await program.printed(/Interrupted \(SIGTERM\)/)
    // For reading, too: it would wait for a reader that was ended.
    const pipe = await open(place('go-on'), 'r+')
    try {
      await pipe.write('go on\n')
      expect((await program.ended).code).to.equal(143)
    } finally {
      await pipe.close()
    }
    expect(existsSync(place('finished'))).to.equal(true)
    expect(await calls()).to.not.include('apt-get update')
  })

  it('are not installed again', async () => {
    await stub('absent-tool', 'exit 0')
    expect(await requirePackages(false)).to.deep.equal({ code: 0, output: '' })
  })
})
