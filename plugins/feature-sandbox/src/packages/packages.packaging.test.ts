import { execFileSync } from 'node:child_process'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import { callTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { writeWheel } from '../test-support/local-packages.js'
import { processClock, startTools, type ToolsUnderTest } from '../test-support/tools-under-test.js'
import { createSandboxTools } from '../tools/create-tools.js'

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

describe('the packages of an agent', function () {
  this.timeout(60_000)
  let under: ToolsUnderTest
  const messages = () => under.progress.map(({ message }) => message)
  const install = (language: 'python' | 'node', ...packages: readonly string[]) =>
    under.call('install_packages', { language, packages: [...packages] })

  beforeEach(async () => {
    under = await startTools()
    await mkdir(under.workspace, { recursive: true })
  })
  afterEach(() => under.stop())

  describe('for Python', () => {
    const imports = () => under.call('python', { code: 'import greeting_for_test as g, other_for_test; print(g.hello())' })

    it('are made once, from local wheels, with progress, are found by every tool, and made again after a crash', async () => {
      expect((await imports()).text).to.include('ModuleNotFoundError')
      const wheel = await writeWheel(under.workspace, 'greeting_for_test', 'def hello(): return "hello from a wheel"\n')
      const other = await writeWheel(under.workspace, 'other_for_test', '')
      const results = await Promise.all([wheel, other].map((each) => install('python', `./${each}`)))
      expect(results.map(({ text }) => text)).to.deep.equal([`Installed: ./${wheel}.`, `Installed: ./${other}.`])
      expect(messages()).to.deep.equal(['Creating the Python environment', `Installing ./${wheel}`, `Installing ./${other}`])
      expect((await imports()).text).to.match(/\nhello from a wheel$/)
      expect((await under.call('python', { directory: 'below', code: 'import greeting_for_test' })).isError).to.equal(false)
      expect((await under.call('shell', { command: 'python -c "import greeting_for_test as g; print(g.__file__)"' })).text).to.include(
        '.venv/lib',
      )

      // What cannot be installed leaves the environment as it was.
      const failed = await install('python', './missing.whl')
      expect(failed.isError).to.equal(true)
      expect(failed.text)
        .to.match(/^The packages were not installed\./)
        .and.to.include('missing.whl')
      expect(await exists(path.join(under.workspace, '.packages/python.incomplete'))).to.equal(false)

      // What a crash in the middle leaves behind.
      await writeFile(path.join(under.workspace, '.packages/python.incomplete'), '')
      await rm(path.join(under.workspace, '.venv/bin'), { recursive: true })
      under.progress.length = 0
      expect((await imports()).text).to.match(/\nhello from a wheel$/)
      expect(messages()).to.deep.equal(['Rebuilding the Python environment', 'Installing the packages again'])
      expect(await exists(path.join(under.workspace, '.packages/python.incomplete'))).to.equal(false)
    })
  })

  describe('for Node.js', () => {
    const imports = () => under.call('node', { code: `import { hello } from 'greeting-for-test'; console.log(hello)` })

    it('are made at the first use from a local archive, found by every tool, and made again when they are broken', async () => {
      const source = path.join(under.workspace, 'source')
      await mkdir(path.join(source, 'package'), { recursive: true })
      const manifest = { name: 'greeting-for-test', version: '1.0.0', type: 'module', exports: './index.js', bin: { greet: './greet.js' } }
      await writeFile(path.join(source, 'package/package.json'), JSON.stringify(manifest))
      await writeFile(path.join(source, 'package/index.js'), `export const hello = 'hello from an archive'\n`)
      await writeFile(path.join(source, 'package/greet.js'), `#!/usr/bin/env node\nconsole.log('greetings')\n`)
      execFileSync('tar', ['-czf', path.join(under.workspace, 'greeting.tgz'), '-C', source, 'package'])

      expect((await imports()).text).to.include('ERR_MODULE_NOT_FOUND')
      expect((await install('node', './greeting.tgz')).text).to.match(/^Installed: \.\/greeting\.tgz\./)
      expect(messages()).to.deep.equal(['Creating the Node.js environment', 'Installing ./greeting.tgz'])
      expect((await imports()).text).to.match(/\nhello from an archive$/)
      expect((await under.call('shell', { command: 'greet' })).text).to.match(/\ngreetings$/)

      under.progress.length = 0
      await rm(path.join(under.workspace, 'node_modules'), { recursive: true })
      expect((await imports()).text).to.match(/\nhello from an archive$/)
      expect(messages()).to.deep.equal(['Rebuilding the Node.js environment', 'Installing the packages again'])
      // An archive that is no longer there does not hold up the others.
      await rm(path.join(under.workspace, 'node_modules'), { recursive: true })
      await rm(path.join(under.workspace, 'greeting.tgz'))
      const again = await under.call('shell', { command: 'echo here; true' })
      expect(again.text).to.match(/^Note: the Node\.js environment .* cannot be installed again: \.\/greeting\.tgz\.\nExit code 0/)
      expect((await under.call('shell', { command: 'echo here; true' })).text).to.match(/^Exit code 0/)
      expect(JSON.parse(await readFile(path.join(under.workspace, 'package.json'), 'utf8'))).not.to.have.nested.property(
        'dependencies.greeting-for-test',
      )
    })
  })

  it('are repaired at the next use after an installation that was cut off', async () => {
    execFileSync('mkfifo', [path.join(under.workspace, 'endless.tgz')])
    const controller = new AbortController()
    const cut = under.call(
      'install_packages',
      { language: 'node', packages: ['./endless.tgz'] },
      { signal: controller.signal, progress: async ({ message }) => void (message.startsWith('Installing') && controller.abort()) },
    )
    expect(
      await cut.then(
        () => 'installed',
        (error: Error) => error.name,
      ),
    ).to.equal('AbortError')
    await under.sandbox.find('user-1', under.sandbox.list({ userId: 'user-1' })[0]?.id ?? '')?.exited
    const mark = path.join(under.workspace, '.packages/node.incomplete')
    expect(await exists(mark)).to.equal(true)
    expect((await under.call('node', { code: 'console.log(1)' })).text).to.match(/\n1$/)
    expect(messages()).to.deep.equal(['Rebuilding the Node.js environment'])
    expect(await exists(mark)).to.equal(false)
  })

  it('say what is missing on a machine without Python or Node.js', async () => {
    const { tools } = createSandboxTools({
      ...{ sandbox: under.sandbox, clock: processClock, packageMinAgeDays: 3, python: 'python-that-is-missing', node: '/missing/bin/node' },
      files: under.files,
    })
    const textFor = async (name: string, input: JsonObject) => {
      const tool = tools.find((each) => each.name === name) ?? expect.fail(name)
      return JSON.stringify(await callTool(tool, input, { workspace: 'assistant', agentId: 'agent-1' }))
    }
    const python = 'Python is not installed on this machine. Its operator can install python3.'
    expect(await textFor('python', { code: '1' })).to.include(python)
    expect(await textFor('install_packages', { language: 'python', packages: ['x'] })).to.include(python)
    expect(await textFor('install_packages', { language: 'node', packages: ['x'] })).to.include('Node.js cannot be run here.')
  })

  it('have names that are no options, addresses or repositories', async () => {
    for (const name of [
      '--index-url=http://x',
      '-r',
      'a b',
      '',
      'https://x.example/x.tgz',
      'x@https://x.example/x',
      'git+ssh://x',
      'github:a/b',
      'a/b',
      'file:/etc',
    ])
      expect(
        await install('python', name).then(
          () => 'installed',
          () => 'refused',
        ),
        name,
      ).to.equal('refused')
  })
})
