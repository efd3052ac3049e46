import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../support/command.js'
import { removeFolder } from '../support/service-process.js'
import { type CommandPlugin, writeCommandPlugin } from './support/command-plugin.js'

/** Plugins that do wrong in their commands. */
const faulty: CommandPlugin = {
  id: 'cli-faulty',
  setup: `
    command('throws', async () => { throw new Error('the dice are gone') })
    command('answers nothing', async () => undefined)
    command('answers seven', async () => ({ status: 7 }))
    command('answers code', async () => ({ status: 0, json: 10n }))
    command('waits', () => new Promise(() => undefined))
    command('goes astray', async () => new Promise(() => setTimeout(() => { throw new Error('out of a timer') }, 1)))
    command('leaves', async ({ print }) => { setInterval(() => undefined, 1000); await print('done'); return { status: 0 } })
    command('listens', ({ signal, print }) => new Promise((_, reject) => {
      setInterval(() => undefined, 1000)
      signal.addEventListener('abort', () => reject(signal.reason))
      void print('ready')
    }))
    command('counts', async ({ readLine, interrupts, print, interactive }) => {
      const done = new AbortController()
      const counting = (async () => {
        let count = 0
        for await (const _ of interrupts({ signal: done.signal })) await print('interrupt ' + ++count)
      })().catch(() => undefined)
      await print('ready ' + interactive)
      for (let line = await readLine({ prompt: '> ' }); line !== undefined; line = await readLine()) await print('line ' + line)
      done.abort()
      await counting
      return { status: 0 }
    })
    command('deaf', ({ print }) => new Promise(() => {
      setInterval(() => undefined, 1000)
      void print('ready')
    }))`,
}

/** Plugins that do wrong before. */
const unusable: readonly (CommandPlugin & { readonly reason: RegExp })[] = [
  { id: 'cli-broken', setup: `throw new Error('no dice')`, reason: /setup failed: no dice/ },
  {
    id: 'cli-data',
    setup: `context.use(databaseService)`,
    reason: /kernel\.database.*commands and checks before setup uses other services/,
  },
  { id: 'cli-hanging', setup: `await new Promise(() => undefined)`, reason: /setup did not end within 5 s/ },
  {
    id: 'cli-hiding',
    setup: `command('start again', async () => ({ status: 0 }))`,
    reason: /“start”, which is a command of agent-service itself/,
  },
  { id: 'cli-odd', setup: `command('Odd', async () => ({ status: 0 }))`, reason: /“Odd” to cli\.command is not valid: \/name/ },
  {
    id: 'cli-options',
    setup: `command('opted', async () => ({ status: 0 }), { options: [{ name: 'json', description: 'mine' }] })`,
    reason: /--json belongs to the program/,
  },
  { id: 'cli-twice', setup: `command('throws', async () => ({ status: 0 }))`, reason: /“throws”.*“cli-faulty”/ },
  { id: 'cli-under', setup: `command('waits longer', async () => ({ status: 0 }))`, reason: /“waits” is a command of plugin “cli-faulty”/ },
]

describe('a faulty command of a plugin', function () {
  this.timeout(60_000)
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-commands-'))
    for (const plugin of [faulty, ...unusable]) await writeCommandPlugin(folder, plugin)
  })
  after(() => removeFolder(folder))

  const start = (args: readonly string[], plugins: readonly CommandPlugin[] = [faulty]) =>
    runCommand(folder, args, { SERVICE_PLUGINS_SOURCES: JSON.stringify(plugins.map(({ id }) => path.join(folder, id))) })
  const run = async (args: readonly string[], plugins?: readonly CommandPlugin[]) => {
    const command = start(args, plugins)
    return { status: await command.ended, output: command.output() }
  }

  for (const [what, args, reason] of [
    ['throws', ['throws'], 'the dice are gone'],
    ['answers nothing', ['answers', 'nothing'], 'it ended with undefined instead of'],
    ['answers with another status', ['answers', 'seven'], 'it ended with the status 7 instead of'],
    ['answers with what is no JSON', ['answers', 'code', '--json'], 'BigInt'],
    ['waits for nothing', ['waits'], 'it waits for something that will never happen'],
  ] as const) {
    it(`is reported by name when it ${what}, and ends with 1`, async () => {
      const { status, output } = await run(args)
      expect(status, output).to.equal(1)
      expect(output).to.match(/^“.*” of the plugin “cli-faulty” failed: /)
      expect(output).to.include(reason)
      expect(output.trim().split('\n')).to.have.length(1)
    })
  }

  it('is named for an uncaught error', async () => {
    const { status, output } = await run(['goes', 'astray'])
    expect(status).to.equal(1)
    expect(output).to.equal('Uncaught error of the plugin “cli-faulty”: out of a timer\n')
  })

  it('does not keep the program alive with open resources', async () => {
    expect(await run(['leaves'])).to.deep.equal({ status: 0, output: 'done\n' })
  })

  it('keeps its status and the help alive no longer with what its plugin left open', async () => {
    const plugin: CommandPlugin = {
      id: 'cli-leaving',
      setup: `setInterval(() => undefined, 1000)
        context.onDispose(() => new Promise((resolve) => setTimeout(resolve, 1500)))
        process.on('exit', () => { throw new Error('at exit') })
        command('fails', async () => ({ status: 1 }))`,
    }
    await writeCommandPlugin(folder, plugin)
    expect(await run(['fails'], [plugin])).to.deep.equal({ status: 1, output: '' })
    expect((await run(['--help'], [plugin])).status).to.equal(0)
  })

  it('takes over Ctrl-C while it reads interrupts, and reads lines to the end of the input', async () => {
    const command = start(['counts'])
    await command.shows('ready false')
    for (const count of [1, 2]) {
      command.child.kill('SIGINT')
      await command.shows(`interrupt ${count}`)
    }
    command.say('one')
    await command.shows('line one')
    command.child.stdin?.end('two')
    expect(await command.ended).to.equal(0)
    expect(command.output()).to.equal('ready false\n> interrupt 1\ninterrupt 2\nline one\nline two\n')
  })

  it('is asked to end by Ctrl-C, is ended after a grace period, and at once by a second Ctrl-C', async () => {
    const endAfter = async (name: string, ...signals: readonly NodeJS.Signals[]) => {
      const command = start([name])
      await command.shows('ready')
      const asked = performance.now()
      for (const signal of signals) command.child.kill(signal)
      expect(await command.ended).to.equal(1)
      return { output: command.output(), took: performance.now() - asked }
    }
    const [listens, deaf, deafTwice] = await Promise.all([
      endAfter('listens', 'SIGINT'),
      endAfter('deaf', 'SIGTERM'),
      endAfter('deaf', 'SIGINT', 'SIGTERM'),
    ])
    expect(listens.output).to.include('it was asked to end')
    expect(deaf.output).to.include('it did not end within 5 s after it was asked to')
    expect(deaf.took).to.be.greaterThan(4_900)
    expect(deafTwice.output).to.equal('ready\n')
    expect(deafTwice.took).to.be.lessThan(deaf.took)
  })

  it('does not affect the commands of others if its plugin cannot start, and reports the reason', async () => {
    const plugins = [faulty, ...unusable]
    const [help, unknown] = await Promise.all([run(['--help'], plugins), run(['opted'], plugins)])
    expect(help.status, help.output).to.equal(0)
    expect(help.output).to.match(/throws\s.*Does throws/)
    expect(unknown.status).to.equal(2)
    expect(unknown.output).to.include("unknown command 'opted'")
    for (const { output } of [help, unknown]) {
      for (const { id, reason } of unusable) expect(output).to.match(new RegExp(`plugin “${id}” are missing: .*${reason.source}`))
    }
  })
})
