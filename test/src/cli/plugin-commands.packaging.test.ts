import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { removeFolder } from '../support/service-process.js'
import { writeCommandPlugin } from './support/command-plugin.js'

const dice = {
  id: 'cli-dice',
  head: `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('./imported', import.meta.url), '')`,
  setup: `
    command('dice roll', async ({ arguments: [count, label = 'no label'], options, print }) => {
      await print(count + ' dice, ' + label)
      return { status: options['loaded'] ? 1 : 0, json: { count, label, options } }
    }, {
      arguments: [{ name: 'count', description: 'how many dice', required: true }, { name: 'label', description: 'what for', required: false }],
      options: [{ name: 'loaded', description: 'cheat' }, { name: 'number-of-sides', description: 'how many', value: 'sides' }],
    })
    command('whoami', async ({ request, print }) => {
      const me = await request('GET', '/api/auth/me')
      await print('You are ' + me.username)
      const missing = await request('GET', '/api/chats/nothing').catch(({ code, status }) => ({ code, status }))
      return { status: 0, json: { username: me.username, missing } }
    })`,
}

describe('a command of a plugin', function () {
  this.timeout(60_000)
  let folder: string
  let environment: Readonly<Record<string, string>>

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-commands-'))
    environment = {
      SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      SERVICE_PLUGINS_SOURCES: JSON.stringify([await writeCommandPlugin(folder, dice)]),
    }
  })
  after(() => removeFolder(folder))

  /**
   * Runs the program in this process, up to a command of a plugin but not into one: such a command
   * may end the process.
   */
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCommandLine(args, { workingDirectory: folder, environment: { HOME: folder, ...environment, ...more } })
  const runAsProcess = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const command = runCommand(folder, args, { ...environment, ...more })
    return { status: await command.ended, output: command.output() }
  }

  it('is not loaded for a command of the program itself', async () => {
    const imported = path.join(folder, dice.id, 'imported')
    expect((await runAsProcess(['plugins', 'list', '--offline'])).output).to.include(dice.id)
    expect((await runAsProcess(['--version'])).status).to.equal(0)
    expect(existsSync(imported)).to.equal(false)
    await runAsProcess(['--help'])
    expect(existsSync(imported)).to.equal(true)
  })

  it('is listed in the help under its own heading, and has its own help page', async () => {
    const { status, output } = await run(['--help'])
    expect(status).to.equal(0)
    const [own = '', ofPlugins = ''] = output.split('Commands of plugins:')
    expect(own).to.match(/doctor/)
    expect(ofPlugins).to.match(/dice\s+commands that begin with “dice”/)
    expect(ofPlugins).to.match(/whoami\s.*Does whoami/)
    const page = await run(['dice', 'roll', '--help'])
    expect(page.status).to.equal(0)
    expect(page.output).to.match(/dice roll \[options\] <count> \[label\]/)
    for (const part of ['how many dice', '--loaded', '--number-of-sides <sides>', '--json', '--url', 'plugin cli-dice'])
      expect(page.output).to.include(part)
  })

  it('gets its arguments and options, prints lines and returns its status', async () => {
    expect(await runAsProcess(['dice', 'roll', '3'])).to.deep.equal({ status: 0, output: '3 dice, no label\n' })
    const { status, output } = await runAsProcess(['dice', 'roll', '3', 'a game', '--loaded', '--number-of-sides', '20', '--json'])
    expect(status).to.equal(1)
    expect(JSON.parse(output)).to.deep.equal({ count: '3', label: 'a game', options: { loaded: true, 'number-of-sides': '20' } })
  })

  it('ends with 2 for wrong usage', async () => {
    for (const [args, words] of [
      [['dice', 'roll'], "missing required argument 'count'"],
      [['dice', 'roll', '1', '2', '3'], 'too many arguments'],
      [['dice', 'roll', '1', '--sides', '2'], "unknown option '--sides'"],
      [['dice', 'throw'], "unknown command 'throw'"],
    ] as const) {
      const { status, output } = await run(args)
      expect(status, output).to.equal(2)
      expect(output).to.include(words)
    }
  })

  it('calls a running service on the same data as the person who signs in', async () => {
    const service = await createTestKernel({ folder, environment })
    try {
      await signUp(service.url, 'ada')
      const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }
      const data = { SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') }
      expect(await runAsProcess(['whoami', '--url', service.url], { ...person, ...data })).to.deep.equal({
        status: 0,
        output: 'You are ada\n',
      })
      const { output } = await runAsProcess(['whoami', '--url', service.url, '--json'], { ...person, ...data })
      expect(JSON.parse(output)).to.deep.equal({ username: 'ada', missing: { code: 'not_found', status: 404 } })
      const refused = await runAsProcess(['whoami', '--url', service.url], {
        ...person,
        ...data,
        AGENT_SERVICE_PASSWORD: 'a wrong password',
      })
      expect(refused.status).to.equal(1)
      expect(refused.output).to.match(/^“whoami” of the plugin “cli-dice” failed: .*invalid_credentials/)
    } finally {
      await service.stop()
    }
    const alone = await runAsProcess(['whoami', '--url', service.url], { AGENT_SERVICE_TOKEN: 'token' })
    expect(alone.status).to.equal(1)
    expect(alone.output).to.match(/No service answers at .*agent-service start/)
  })

  it('is missing while its plugin is disabled', async () => {
    const { status, output } = await run(['dice', 'roll', '3'], { SERVICE_PLUGINS_DISABLED: `["${dice.id}"]` })
    expect(status).to.equal(2)
    expect(output).to.include("unknown command 'dice'")
  })

  it('cannot be found with an invalid configuration: ends with 78, and the help says so', async () => {
    const data = path.join(folder, 'wrong')
    await mkdir(data)
    await writeFile(path.join(data, 'config.yaml'), 'server:\n  port: many\n')
    const { status, output } = await runAsProcess(['dice', 'roll', '3'], { SERVICE_SERVER_DATA_DIR: data })
    expect(status).to.equal(78)
    expect(output).to.match(/“dice” is not a built-in command, and the commands of plugins could not be loaded:.*server\.port/s)
    const help = await run(['--help'], { SERVICE_SERVER_DATA_DIR: data })
    expect(help.status).to.equal(0)
    expect(help.output).to.match(/doctor.*The commands of plugins could not be loaded:.*server\.port/s)
  })
})
