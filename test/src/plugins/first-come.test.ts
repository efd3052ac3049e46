import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writePlugin } from '../authors/support/written-plugin.js'
import { runCommand } from '../support/command.js'

describe('a command that two third parties have', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'first-come-')))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const write = (id: string, ...names: readonly string[]): Promise<string> =>
    writePlugin(path.join(folder, id), {
      manifest: { id, contributes: ['cli.command'] },
      setup: names
        .map(
          (name) =>
            `context.contribute(cliCommands, { ...command('${name}'), run: async ({ print }) => { await print('this is ${id}'); return { status: 0 } } });`,
        )
        .join('\n'),
    })
  const run = async (sources: readonly string[], ...words: readonly string[]): Promise<string> => {
    const environment = { SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'), SERVICE_PLUGINS_SOURCES: JSON.stringify(sources) }
    // In a process of its own: a command of a plugin ends it.
    const command = runCommand(folder, words, environment)
    await command.ended
    return command.output()
  }
  const startWith = async (sources: readonly string[]) => {
    const kernel = await createTestKernel({ folder, plugins: sources })
    const reports = kernel.plugins.report()
    await kernel.stop()
    return new Map(reports.map(({ id, state, reason }) => [id, `${state} ${reason ?? ''}`]))
  }

  it('is of the one that was there first, in the service and in a command line without a service', async () => {
    const [first, later] = [await write('words-z', 'dice roll'), await write('words-a', 'dice roll')]
    await startWith([first])
    // Before any start has seen the newcomer, too.
    expect(await run([later, first], 'dice', 'roll')).to.equal('this is words-z\n')
    const states = await startWith([later, first])
    expect(states.get('words-z')).to.equal('active ')
    expect(states.get('words-a')).to.match(/^failed (?=.*“words-a”).*“words-z”/)
    expect(await run([later, first], 'dice', 'roll')).to.equal('this is words-z\n')
    expect(await run([later, first], '--help')).to.match(/Commands of the plugin “words-a” are missing: .*“words-z” already has/)
    const stored = JSON.parse(await readFile(path.join(folder, 'data/system/plugin-order.json'), 'utf8')) as object
    expect(stored)
      .to.have.property('plugins')
      .that.satisfies((plugins: readonly { readonly id: string }[]) => plugins.map(({ id }) => id).join() === 'words-z,words-a')
  })

  it('is a group of commands or a command itself, as the first one has it', async () => {
    const [group, word] = [await write('words-y', 'cups fill'), await write('words-b', 'cups')]
    await startWith([group])
    expect(await run([word, group], 'cups', 'fill')).to.equal('this is words-y\n')
    expect(await run([word, group], '--help')).to.contain('plugin “words-y” already has what begins with “cups”')
  })

  it('gets no subcommands of another plugin', async () => {
    const [first, later] = [await write('words-x', 'plates wash'), await write('words-c', 'plates break')]
    await startWith([first])
    const states = await startWith([later, first])
    expect(states.get('words-x')).to.equal('active ')
    expect(states.get('words-c')).to.match(/^failed (?=.*“words-c”).*“words-x”.*already has what begins with “plates”/)
    expect(await run([later, first], 'plates', 'wash')).to.equal('this is words-x\n')
    expect(await run([later, first], 'plates', 'break')).to.not.contain('this is words-c')
    expect(await run([later, first], '--help')).to.match(/Commands of the plugin “words-c” are missing: .*“plates”/)
  })
})
