import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine } from '@agent-service/kernel/testing'
import type { PluginReport } from '@agent-service/kernel-core/plugins'
import { guardProcessOfPlugins } from '@agent-service/kernel-core/plugins/start'
import { reservedCommandWords, reservedIds } from '@agent-service/sdk/host'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { linesOfAuthors, linesOfOperators, type PluginText, reportOf, writePlugin } from './support/written-plugin.js'

type Case = Omit<PluginText, 'manifest'> & { readonly manifest?: Readonly<Record<string, unknown>> }

const events = (name: string) => ({ [name]: { description: 'It happened.', schema: { type: 'object', properties: {} } } })
const contributing = (point: string, setup: string, more: Case = {}): Case => ({
  ...more,
  manifest: { contributes: [point], ...more.manifest },
  setup,
})
const inTools = (setup: string): Case => contributing('tool', setup)
const screenOf = (id: string, { content = '', permissions = [] as readonly object[] } = {}): Case =>
  contributing(
    'console.panel',
    `context.contribute(consolePanels, { specVersion: 1, id: '${id}', title: { en: 'Dice' }, group: 'main',
      content: { kind: 'screen', folder: new URL('./web', import.meta.url).pathname, screen: 'dice', ${content} } })`,
    { manifest: { permissions } },
  )
const collection = (name: string, more = ''): string => `[{ name: '${name}', version: 1, indexes: {} ${more} }]`

/** Each has one fault; the id is `tool-<number>` unless the manifest has another. */
const bad: Readonly<Record<string, { readonly plugin: (id: string) => Case; readonly line: RegExp }>> = {
  'a change of the language': {
    plugin: () => ({ setup: 'Array.prototype.last = () => undefined' }),
    line: /it added Array\.prototype\.last, but .*That was put back\./,
  },
  'a disposer that is no function': {
    plugin: () => ({ setup: `context.onDispose('x')` }),
    line: /called onDispose\(\) with a string\. Pass a function/,
  },
  'a route outside its paths': {
    plugin: (id) => contributing('http.route', `context.contribute(httpRoutes, route('/api/notes', '${camel(id)}Read'))`),
    line: /\/path is “\/api\/notes”; paths of this plugin must lie below \/api\/plugins\/tool-/,
  },
  'an operation of another': {
    plugin: (id) => contributing('http.route', `context.contribute(httpRoutes, route('/api/plugins/${id}/x', 'listChats'))`),
    line: /\/operationId must begin with/,
  },
  'two routes for the same requests': {
    plugin: (id) =>
      contributing(
        'http.route',
        `const params = (name) => ({ params: Type.Object({ [name]: Type.String() }) })
         context.contribute(httpRoutes, route('/api/plugins/${id}/{a}', '${camel(id)}One', params('a')))
         context.contribute(httpRoutes, route('/api/plugins/${id}/{b}', '${camel(id)}Two', params('b')))`,
      ),
    line: /answer the same requests/,
  },
  'two routes of one operation': {
    plugin: (id) =>
      contributing(
        'http.route',
        `for (const name of ['a', 'b']) context.contribute(httpRoutes, route('/api/plugins/${id}/' + name, '${camel(id)}Read'))`,
      ),
    line: /have the same operationId/,
  },
  'a WebSocket outside its paths': {
    plugin: (id) =>
      contributing(
        'websocket.route',
        `context.contribute(websocketRoutes, { specVersion: 1, path: '/api/play', operationId: '${camel(id)}Play', summary: 'Play', auth: 'user', messages: { kind: 'raw' }, handle: async () => {} })`,
      ),
    line: /\/path is “\/api\/play”/,
  },
  'an error format of all paths': {
    plugin: () =>
      contributing(
        'http.error-format',
        `context.contribute(httpErrorFormats, { specVersion: 1, prefix: '/api/chats', format: () => ({ body: '', contentType: 'text/plain' }) })`,
      ),
    line: /\/prefix is “\/api\/chats”/,
  },
  'a site': {
    plugin: () =>
      contributing(
        'http.site',
        `context.contribute(httpSites, { specVersion: 1, host: 'dice.example', handle: async () => ({ status: 204, kind: 'empty' }) })`,
      ),
    line: /\/host must be among the “hosts”/,
  },
  'a screen without the permission for it': { plugin: (id) => screenOf(id), line: /\/content\/kind is “screen”.*kind: 'console'/ },
  'pages of the console': {
    plugin: (id) => screenOf(id, { content: "routes: ['/chats']", permissions: [{ kind: 'console', reason: 'Draws dice.' }] }),
    line: /\/content\/routes must be absent/,
  },
  'prefixes of routes': {
    plugin: () => ({ manifest: { routes: ['/api/chats'] } }),
    line: /“routes”, which only built-in plugins may have/,
  },
  sections: {
    plugin: () => ({ manifest: { sections: { dice: { type: 'object', properties: {} } } } }),
    line: /“sections”, which only built-in plugins may have/,
  },
  hosts: { plugin: () => ({ manifest: { hosts: ['dice.example'] } }), line: /“hosts”, which only built-in plugins may have/ },
  'the id of a built-in plugin': {
    plugin: () => ({ manifest: { id: 'feature-agents' } }),
    line: /belongs to the built-in plugin “feature-agents”/,
  },
  'the word of a built-in plugin': {
    plugin: () => ({ manifest: { id: 'agents' } }),
    line: /“agents” belongs to the built-in plugin “feature-agents”/,
  },
  'the id of the kernel': { plugin: () => ({ manifest: { id: 'kernel' } }), line: /“kernel” belongs to the service itself/ },
  'a type of event of another': { plugin: () => ({ manifest: { events: events('task.updated') } }), line: /type of event “task\.updated”/ },
  'a subsystem of another': { plugin: () => ({ manifest: { storage: { subsystems: ['vault'] } } }), line: /storage subsystem “vault”/ },
  'an unknown member': { plugin: () => ({ manifest: { colour: 'red' } }), line: /plugin\.json is not valid: \/colour/ },
  'another apiVersion': { plugin: () => ({ manifest: { apiVersion: 2 } }), line: /\/apiVersion is 2/ },
  'a service of the kernel': {
    plugin: () => ({ manifest: { provides: ['kernel.dice'] } }),
    line: /services named kernel\.\* are the kernel's own/,
  },
  'an unknown point': {
    plugin: () => ({ manifest: { contributes: ['tools'] } }),
    line: /has no contribution point “tools”; did you mean “tool”/,
  },
  'a collection of another': {
    plugin: () => ({ collections: collection('notes.notes') }),
    line: /the collection “notes\.notes”; .* begin with “tool_/,
  },
  'a collection without indexes': {
    plugin: (id) => ({ collections: `[{ name: '${snake(id)}.rolls', version: 1 }]` }),
    line: /“tool_\d+\.rolls” is not valid: it has no “indexes”; write indexes: \{\} if it needs none\.$/,
  },
  'a collection that is none': {
    plugin: () => ({ collections: '[null]' }),
    line: /collection at place 1 of “collections” is not valid: it must be an object/,
  },
  'an index without fields': {
    plugin: (id) => ({ collections: `[{ name: '${snake(id)}.rolls', version: 1, indexes: { by_user: {} } }]` }),
    line: /the index “by_user” has no list of “fields”/,
  },
  'a collection without a version': {
    plugin: (id) => ({ collections: `[{ name: '${snake(id)}.rolls', indexes: {} }]` }),
    line: /its version must be a whole number from 1/,
  },
  'a misspelt member of a collection': {
    plugin: (id) => ({ collections: collection(`${snake(id)}.rolls`, ', userfield: "user_id"') }),
    line: /its member “userfield” is not known here; did you mean “userField”\?/,
  },
  'migrations that are no list': {
    plugin: (id) => ({ collections: collection(`${snake(id)}.rolls`, ', migrations: { 2: () => ({}) }') }),
    line: /its “migrations” must be a list/,
  },
  'a migration that does nothing': {
    plugin: (id) => ({ collections: `[{ name: '${snake(id)}.rolls', version: 2, indexes: {}, migrations: [{ to: 2 }] }]` }),
    line: /its migration to version 2 has no function “migrate”/,
  },
  'a collection twice': {
    plugin: (id) => ({ collections: `Array(2).fill({ name: '${snake(id)}.rolls', version: 1, indexes: {} })` }),
    line: /“tool_\d+\.rolls” is not valid: tool-\d+ declares it twice/,
  },
  'collections that are no list': { plugin: () => ({ collections: '{}' }), line: /failed: “collections” of definePlugin must be a list/ },
  'data of users without user.data': {
    plugin: (id) => ({
      collections: `[{ name: '${snake(id)}.rolls', version: 1, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id' }]`,
    }),
    line: /without a user\.data contribution/,
  },
  'user data of another': {
    plugin: () => contributing('user.data', `context.contribute(userData, data('agents', []))`),
    line: /\/id must be “tool-/,
  },
  'a job of another': {
    plugin: () => contributing('scheduler.job', `context.contribute(schedulerJobs, job('agents.sweep'))`),
    line: /\/id must begin with “tool-/,
  },
  'the command of a built-in plugin': {
    plugin: () => contributing('cli.command', `context.contribute(cliCommands, command('chat'))`),
    line: /begins with “chat”, which is a command of the built-in plugin “cli-chat”/,
  },
  'a command that is the first word of another one': {
    plugin: (id) =>
      contributing('cli.command', `for (const name of ['${id}', '${id} roll']) context.contribute(cliCommands, command(name))`),
    line: /its commands “tool-\d+” and “tool-\d+ roll” exclude each other/,
  },
  'a command of the service': {
    plugin: () => contributing('cli.command', `context.contribute(cliCommands, command('backup now'))`),
    line: /begins with “backup”, which is a command of agent-service itself/,
  },
  'a name that models cannot call': {
    plugin: () => inTools(`context.contribute(tools, tool({ name: 'Roll dice' }))`),
    line: /\/name must be a name in snake_case/,
  },
  'a tool twice': {
    plugin: (id) => inTools(`context.contribute(tools, tool()); context.contribute(tools, tool({ name: '${snake(id)}__roll' }))`),
    line: /contributed “tool_\d+__roll” to tool twice/,
  },
  'a contribution of another version': {
    plugin: () => inTools(`context.contribute(tools, tool({ specVersion: 7 }))`),
    line: /version 7 of the contract/,
  },
  'a contribution that is no object': {
    plugin: () => inTools(`context.contribute(point('tool', () => 'x'), null)`),
    line: /called contribute\(\) with .*Pass the object that is added to/,
  },
  'a check of another': {
    plugin: () =>
      contributing(
        'doctor.check',
        `context.contribute(doctorChecks, { specVersion: 1, id: 'database', title: 'Database', run: async () => ({ findings: [] }) })`,
      ),
    line: /is not valid: \/id must be “tool-/,
  },
  'what the manifest does not list': {
    plugin: () => ({ setup: `context.contribute(tools, tool())` }),
    line: /Add "tool" to “contributes”/,
  },
  'what the manifest does not list, caught': {
    plugin: () => ({ setup: `try { context.provide(defineServiceReference('dice'), {}) } catch {}` }),
    line: /Add "dice" to “provides”/,
  },
  'a service that it does not provide': {
    plugin: () => ({ manifest: { provides: ['loaded-dice'] } }),
    line: /lists “loaded-dice” in “provides”/,
  },
  'an earlier id that is reserved': {
    plugin: () => ({ manifest: { renamedFrom: ['agents'] } }),
    line: /“renamedFrom” lists “agents”, which is kept for a built-in plugin/,
  },
  'a service twice': {
    plugin: (id) => ({
      manifest: { provides: [`${id}-cups`] },
      setup: `const cups = defineServiceReference()('${id}-cups'); context.provide(cups, {}); context.provide(cups, {})`,
    }),
    line: /^(setup failed: )?Plugin “tool-\d+” provided the service “tool-\d+-cups” twice\. Call context\.provide once/,
  },
  'a contribution that throws when it is read': {
    plugin: () => inTools(`context.contribute(tools, new Proxy(tool(), { get() { throw new Error('a trap') } }))`),
    line: /^its contribution to tool cannot be read: a trap$/,
  },
  'a setup that throws what cannot be read': {
    plugin: () => ({ setup: `throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('a trap') } })` }),
    line: /^setup failed: an error that cannot be read$/,
  },
  'a setup that throws': { plugin: () => ({ setup: `throw new Error('no dice')` }), line: /^setup failed: no dice$/ },
  'a setup that ends the process': {
    plugin: () => ({ setup: 'process.exit(0)' }),
    line: /^setup failed: Plugin “tool-\d+” called process\.exit\(\), .* Throw an error instead\.$/,
  },
  'a module that ends the process': {
    plugin: () => ({ code: 'process.exit(0)' }),
    line: /^importing .* failed: Plugin “tool-\d+” called process\.exit\(\)/,
  },
  'a module that throws': { plugin: () => ({ code: `throw new Error('at import')` }), line: /^importing .* failed: at import$/ },
  'another default export': { plugin: () => ({ code: 'export default {}' }), line: /has no plugin as its default export/ },
  'a module of another manifest': {
    plugin: (id) => ({ codeManifest: { id, apiVersion: 1, contributes: ['tool'] } }),
    line: /differ in contributes/,
  },
}

const good: Readonly<Record<string, (id: string) => Case>> = {
  nothing: () => ({}),
  'a tool': () => inTools('context.contribute(tools, tool())'),
  'a tool under its whole name': (id) => inTools(`context.contribute(tools, tool({ name: '${snake(id)}__roll' }))`),
  'a route': (id) => contributing('http.route', `context.contribute(httpRoutes, route('/api/plugins/${id}/rolls', '${camel(id)}List'))`),
  'a job': (id) => contributing('scheduler.job', `context.contribute(schedulerJobs, job('${id}.sweep'))`),
  'a command': (id) => contributing('cli.command', `context.contribute(cliCommands, command('${id} roll'))`),
  'an event and a subsystem': (id) => ({ manifest: { events: events(`${id}.rolled`), storage: { subsystems: [id, `${id}.cups`] } } }),
  'data of users': (id) =>
    contributing('user.data', `context.contribute(userData, data('${id}', ['${snake(id)}.rolls']))`, {
      collections: collection(`${snake(id)}.rolls`, `, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id'`),
    }),
}

/** What it kept under the id that it had before. */
const renamed: Readonly<Record<string, (id: string) => Case>> = {
  'the prefix of an earlier id': () =>
    contributing('user.data', `context.contribute(userData, data('old-dice', ['old_dice.rolls']))`, {
      manifest: { renamedFrom: ['old-dice'], storage: { subsystems: ['old-dice.cups'] } },
      collections: `[{ name: 'old_dice.rolls', version: 1, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id' }]`,
    }),
}

const snake = (id: string): string => id.replaceAll('-', '_')
const camel = (id: string): string => id.replace(/-(.)/, (_, letter: string) => letter.toUpperCase())

/** A plugin that was examined in the three ways. */
interface Examined {
  readonly authors: readonly string[]
  readonly operators: readonly string[]
  readonly report: PluginReport
}

describe('both validate commands and the host', function () {
  this.timeout(120_000)
  let folder: string
  const examined = new Map<string, Examined>()

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'validate-and-host-')))
    const cases: readonly (readonly [string, (id: string) => Case])[] = [
      ...Object.entries(bad).map(([name, { plugin }]) => [name, plugin] as const),
      ...Object.entries({ ...good, ...renamed }),
      ['five faults', fiveFaults],
      ['500 faults', manyFaults],
    ]
    const written = new Map<string, string>()
    for (const [index, [name, plugin]] of cases.entries()) {
      const id = `tool-${index}`
      const text = plugin(id)
      written.set(name, await writePlugin(path.join(folder, 'plugins', id), { ...text, manifest: { id, ...text.manifest } }))
    }
    const endGuard = guardProcessOfPlugins()
    const kernel = await createTestKernel({ plugins: [...written.values()] })
    try {
      await eventually(() => expect(kernel.plugins.report().filter(({ state }) => state === 'starting')).to.deep.equal([]))
      const reports = kernel.plugins.report()
      for (const [name, place] of written)
        examined.set(name, {
          authors: await linesOfAuthors(place),
          operators: await linesOfOperators(place, folder),
          report: reportOf(reports, place),
        })
    } finally {
      endGuard()
      await kernel.stop()
    }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const of = (name: string): Examined => {
    const found = examined.get(name)
    if (found === undefined) throw new Error(`${name} was not examined.`)
    return found
  }

  for (const [name, { line }] of Object.entries(bad)) {
    it(`refuse with the same line: ${name}`, () => {
      const { authors, operators, report } = of(name)
      expect(report.state).to.be.oneOf(['invalid', 'failed'])
      expect(report.problems).to.have.length(1)
      expect(report.problems[0]).to.match(line)
      expect(authors).to.deep.equal(report.problems)
      expect(operators).to.deep.equal(report.problems)
    })
  }

  for (const name of Object.keys({ ...good, ...renamed })) {
    it(`accept: ${name}`, () => {
      const { authors, operators, report } = of(name)
      expect(report).to.include({ state: 'active', reason: null })
      expect(report.problems).to.deep.equal([])
      expect([...authors, ...operators]).to.deep.equal([])
    })
  }

  it('know the ids and commands of this service', async () => {
    const builtIns = (await readdir(path.join(import.meta.dirname, '../../../plugins'))).sort()
    expect([...reservedIds].sort()).to.deep.equal(builtIns)
    const environment = { SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') }
    const { output } = await runCommandLine(['--help'], { workingDirectory: folder, environment })
    const words = [...(output.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(([, word]) => word)
    expect([...reservedCommandWords].sort()).to.deep.equal(words.sort())
  })

  it('show the first hundred of 500 faults, and how many there are', () => {
    const { authors, operators, report } = of('500 faults')
    expect(report.problems).to.have.length(101)
    expect(report.problems.at(99)).to.match(/“Roll 99”/)
    expect(report.problems.at(100)).to.equal('and 400 more')
    expect(authors).to.deep.equal(report.problems)
    expect(operators).to.deep.equal(report.problems)
  })

  it('show all five faults of a setup', () => {
    const { authors, operators, report } = of('five faults')
    expect(report.problems).to.have.length(5)
    expect(report.reason).to.have.length(1_000)
    expect(report.problems.join('').length).to.be.above(1_000)
    expect(authors).to.deep.equal(report.problems)
    expect(operators).to.deep.equal(report.problems)
  })
})

const manyFaults = (): Case =>
  inTools(`for (let index = 0; index < 500; index++) context.contribute(tools, tool({ name: 'Roll ' + index }))`)

/** Their lines are longer together than a reason may be. */
function fiveFaults(id: string): Case {
  return {
    manifest: { contributes: ['tool', 'http.route', 'scheduler.job', 'cli.command'], provides: ['dice-nobody-has'] },
    setup: `context.contribute(tools, tool({ name: 'Roll ${'r'.repeat(300)}' }))
      context.contribute(httpRoutes, route('/api/${'x'.repeat(400)}', '${camel(id)}Read'))
      context.contribute(schedulerJobs, job('agents.sweep'))
      context.contribute(cliCommands, command('plugins roll'))`,
  }
}
