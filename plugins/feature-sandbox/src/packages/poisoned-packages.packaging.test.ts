import { rm, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { daysAgo, type IndexedTools, startIndexedTools } from '../test-support/indexed-tools.js'
import { writeArchive, writeWheel } from '../test-support/local-packages.js'

describe('packages of pip that were poisoned', function () {
  this.timeout(120_000)
  let tools: IndexedTools

  const publish = async (version: string, at: Date | undefined, module = 'poisoned_for_test', requires?: string): Promise<void> => {
    const options = { version, ...(requires !== undefined && { requires }) }
    const file = await writeWheel(tools.index.folder, module, `version = "${version}"\n`, options)
    tools.index.publish({ name: module.replaceAll('_', '-'), version, file, at })
  }
  const imported = async (): Promise<string> =>
    (await tools.under.call('python', { code: 'import poisoned_for_test as p; print(p.version)' })).text

  before(async () => {
    tools = await startIndexedTools()
    await publish('1.0', daysAgo(10))
    await publish('1.1', daysAgo(1))
    await publish('1.0', daysAgo(10), 'parent_for_test', 'poisoned-for-test>=1')
    await publish('1.0', undefined, 'untimed_for_test')
  })
  after(() => tools?.stop())

  it('are left out while they are young, also below others, as far as the index says when they were released', async () => {
    const { text, isError } = await tools.install('python', 'parent-for-test', 'untimed-for-test')
    expect(isError, text).to.equal(false)
    expect(text).to.match(/poisoned.for.test 1\.1 is left out: it was released less than 3 days ago\./)
    expect(text).to.match(/the index does not say when untimed.for.test 1\.0 was released/)
    expect(await imported()).to.match(/\n1\.0$/)
    expect((await tools.install('python', 'poisoned-for-test==1.1')).isError).to.equal(true)
    expect(await imported()).to.match(/\n1\.0$/)
  })

  it('are not built, so that they run nothing while they are installed', async () => {
    const file = 'built_for_test-1.0.tar.gz'
    await writeArchive(tools.index.folder, file, { 'setup.py': 'import os\nopen(os.path.expanduser("~/ran.txt"), "w").write("setup")\n' })
    tools.index.publish({ name: 'built-for-test', version: '1.0', file, at: daysAgo(10) })
    const { text, isError } = await tools.install('python', 'built-for-test')
    expect([isError, await tools.ran()], text).to.deep.equal([true, ''])
    expect(text, 'why it is not found').to.contain('only wheels are taken from an index')
  })

  it('are not installed again as another file than the one before', async () => {
    expect(await tools.read('.packages', 'python.lock')).to.contain('poisoned_for_test-1.0-py3-none-any.whl')
    await writeWheel(tools.index.folder, 'poisoned_for_test', 'version = "poison"\n', { version: '1.0' })
    await rm(tools.place('.venv', 'bin'), { recursive: true })
    const text = await imported()
    expect(text).to.contain('cannot be installed again: parent-for-test').and.to.contain('No module named')
  })

  it('are held back whatever the files of the workspace say', async () => {
    const file = 'sourced_for_test-1.0.tar.gz'
    const build = 'import os\nopen(os.path.expanduser("~/ran.txt"), "w").write("setup")\n'
    await writeArchive(tools.index.folder, file, { 'setup.py': build })
    tools.index.publish({ name: 'sourced-for-test', version: '1.0', file, at: daysAgo(10) })
    const own = {
      'setup.py': build,
      'wanted.txt': '--no-binary :all:\nsourced-for-test\n',
      program: '#!/bin/sh\necho program >> ~/ran.txt\n',
    }
    for (const [name, text] of Object.entries(own)) await writeFile(tools.place(name), text, { mode: 0o755 })
    const global = `[global]\nindex-url = ${tools.index.python}\n`
    const configure = (more: string): Promise<void> => writeFile(tools.place('.config', 'pip', 'pip.conf'), global + more)
    for (const more of [
      `python = ${tools.place('program')}\n`,
      `[install]\neditable = ${tools.place()}\n`,
      `[install]\nrequirement = ${tools.place('wanted.txt')}\n`,
      '[install]\nno-binary = :all:\n',
    ]) {
      await configure(more)
      const { text, isError } = await tools.install('python', 'untimed-for-test')
      expect([isError, await tools.ran()], `${more}${text}`).to.deep.equal([false, ''])
    }
    await configure('')
    await writeFile(tools.place('.packages', 'python.txt'), '--no-binary=:all:\nsourced-for-test\nuntimed-for-test\n')
    await rm(tools.place('.venv'), { recursive: true })
    expect((await tools.under.call('python', { code: 'import untimed_for_test' })).text).to.contain(
      'cannot be installed again: --no-binary=:all:.',
    )
    expect(await tools.ran()).to.equal('')
  })
})
