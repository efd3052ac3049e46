import path from 'node:path'
import { tools } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginFiles, type PluginTree, type Recorder } from './fixture.test.js'

const tool = (more: string): string =>
  `{ specVersion: 1, name: 'roll_dice', title: 'Roll dice', description: 'Rolls a number of dice.', parameters: sdk.Type.Object({}), supports: { probe: false }, execute: async () => ({ content: [] }), ${more} }`
const job = (more: string): string =>
  `{ specVersion: 1, id: 'tool-dice.sweep', title: 'Sweep', everySeconds: 60, run: async () => {}, ${more} }`
const data = (more: string): string =>
  `{ specVersion: 1, id: 'tool-dice', collections: ['tool_dice.rolls'], async *export() {}, erase: async () => {}, size: async () => ({ records: 0, bytes: 0 }), ${more} }`
const section = (more: string): string =>
  `{ specVersion: 1, id: 'tool-dice', title: 'Dice', order: 300, kind: 'static', maxTokens: 9, text: async () => 'x', ${more} }`
const hook = (more: string): string => `{ specVersion: 1, id: 'tool-dice', title: 'Dice', runEnded: async () => {}, ${more} }`
const part = (more: string): string =>
  `{ specVersion: 1, id: 'tool-dice', title: 'Dice', erase: async () => {}, export: async () => {}, import: async () => {}, ${more} }`
const toolSource = (more: string): string =>
  `{ specVersion: 1, id: 'tool-dice', title: 'Dice', supports: { probe: false }, tools: async () => [], execute: async () => {}, ${more} }`
const socket = (more: string): string =>
  `{ specVersion: 1, path: '/api/plugins/tool-dice/play', operationId: 'toolDicePlay', summary: 'Play', auth: 'user', messages: { kind: 'raw' }, handle: async () => {}, ${more} }`
const memory = (more: string): string => {
  const members = ['promptText', 'remember', 'search', 'forget', 'chatChanged', 'list', 'get', 'change', 'import', 'erase']
  const methods = members.map((name) => `async ${name}() {}`).join(', ')
  return `{ specVersion: 1, id: 'tool-dice', title: 'Dice', supports: { history: false, sweep: false, passes: false, revisions: false }, ${methods}, async *export() { yield 'record' }, ${more} }`
}
const dicePath = '/api/plugins/tool-dice/rolls'

describe('what a plugin contributes', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    await tree.write({ manifest: { id: 'feature-agents' } })
  })
  afterEach(() => tree.remove())

  /** The third party `tool-dice`, started with a built-in plugin. */
  const start = async (files: Omit<PluginFiles, 'manifest'> & { readonly contributes: readonly string[] }) => {
    const { contributes, ...rest } = files
    const source = await tree.write({ manifest: { id: 'tool-dice', contributes }, ...rest }, path.join(tree.root, 'tool-dice'))
    const testHost = await createTestHost(tree, { sources: [source] })
    await testHost.host.start()
    return testHost
  }
  const contribute = (point: string, value: string): string => `context.contribute(point('${point}', () => 'made up'), ${value})`

  for (const [what, point, value, reason] of [
    ['a tool with a name that models cannot call', 'tool', tool(`name: 'Roll dice'`), /\/name must be a name in snake_case/],
    ['a tool with an unknown member', 'tool', tool('paralel: true'), /\/paralel is not known here; did you mean “parallel”\?/],
    ['a tool with an unknown effect', 'tool', tool(`effect: 'idempotant'`), /\/effect must be .*; did you mean “idempotent”\?/],
    ['a tool whose execute is no function', 'tool', tool(`execute: 'roll'`), /\/execute must be a function/],
    ['a tool that takes unknown arguments', 'tool', tool(`parameters: { type: 'object', properties: {} }`), /\/parameters must be closed/],
    [
      'a tool that supports what it has not',
      'tool',
      tool('supports: { probe: true }'),
      /\/probe is required, because supports\.probe is true/,
    ],
    ['a tool with a time limit of nothing', 'tool', tool('timeoutMs: 0'), /\/timeoutMs must be at least 1/],
    [
      'a tool with an unknown mode of approval',
      'tool',
      tool(`approval: 'sometimes'`),
      /\/approval must be "never", "first_time" or "always"/,
    ],
    ['a tool with too long a name', 'tool', tool(`name: '${'r'.repeat(54)}'`), /\/name must have at most 53 characters/],
    ['a job of another plugin', 'scheduler.job', job(`id: 'agents.prune'`), /\/id must begin with “tool-dice\.”/],
    ['a job whose interval is text', 'scheduler.job', job(`everySeconds: '60'`), /\/everySeconds must be a number/],
    ['user data of another plugin', 'user.data', data(`id: 'agents'`), /\/id must be “tool-dice”/],
    [
      'user data of a collection of another',
      'user.data',
      data(`collections: ['agents.chats']`),
      /“agents\.chats”, which is not a collection/,
    ],
    ['an operation of another', 'http.route', `route('${dicePath}')`, /\/operationId must begin with “toolDice”.*: toolDiceRead/],
    [
      'a route of an unknown level',
      'http.route',
      `{ ...route('${dicePath}'), operationId: 'toolDiceList', auth: 'users' }`,
      /\/auth must be .*; did you mean “user”\?/,
    ],
    [
      'a route with a handler of the wrong name',
      'http.route',
      `{ ...route('${dicePath}'), operationId: 'toolDiceList', handel: () => {} }`,
      /\/handel is not known here; did you mean “handle”\?/,
    ],
    ['a section of another plugin', 'agent.prompt-section', section(`id: 'space'`), /\/id must be “tool-dice”.*or begin with “tool-dice-”/],
    ['a section of an unknown kind', 'agent.prompt-section', section(`kind: 'fixed'`), /\/kind must be "static" or "dynamic"/],
    ['a hook of another plugin', 'agent.run-hook', hook(`id: 'tool-dicey'`), /\/id must be “tool-dice”/],
    ['a hook with a wrong member', 'agent.run-hook', hook('maks: async () => []'), /\/maks is not known here; did you mean “mask”\?/],
    ['a part of another plugin', 'chat.part', part(`id: 'agents'`), /\/id must be “tool-dice”/],
    ['a part that cannot erase', 'chat.part', part('erase: undefined'), /\/erase is required/],
    ['a source of another plugin', 'tool.source', toolSource(`id: 'mcp'`), /\/id must be “tool-dice”/],
    ['a source without calls', 'tool.source', toolSource('execute: 1'), /\/execute must be a function/],
    [
      'a memory of another plugin',
      'memory.backend',
      memory(`id: 'basic'`),
      /\/id must be “tool-dice”: “memory\.backend” finds its plugin by it/,
    ],
    [
      'a policy engine of another plugin',
      'policy.engine',
      `{ specVersion: 1, id: 'cedar', title: 'Cedar', fileEndings: ['.cedar'], prepare() {}, load() {}, decide() {}, rehearse() {}, check() {} }`,
      /\/id must be “tool-dice”: “policy\.engine” finds its plugin by it/,
    ],
    ['a memory without a search', 'memory.backend', memory('search: undefined'), /\/search is required/],
    ['a WebSocket of another', 'websocket.route', socket(`operationId: 'chessPlay'`), /\/operationId must begin with “toolDice”/],
    ['a WebSocket of no kind of messages', 'websocket.route', socket('messages: {}'), /\/messages\/kind must be "json" or "raw"/],
    ['a site with a port', 'http.site', `{ specVersion: 1, host: 'dice:80', async handle() {} }`, /\/host must be a host name/],
    [
      'an adapter without an ability',
      'provider.adapter',
      `{ specVersion: 1, id: 'adapter_dice', name: 'dice', protocols: [], supports: { streaming: true }, call() {} }`,
      /\/protocols must not be empty; \/supports\/tools is required/,
    ],
  ] as const) {
    it(`is refused with a reason: ${what}`, async () => {
      const collections = `[{ name: 'tool_dice.rolls', version: 1, indexes: {} }]`
      const { host, state, reason: reasonOf } = await start({ contributes: [point], collections, setup: contribute(point, value) })
      expect(state('tool-dice')).to.equal('failed')
      expect(reasonOf('tool-dice')).to.match(reason)
      expect(state('feature-agents')).to.equal('active')
      expect(host.holdings('tool-dice')).to.deep.equal([])
      await host.stop()
    })
  }

  it('is refused at an unknown point, before its code runs', async () => {
    const { host, reason } = await start({ contributes: ['tools'], setup: contribute('tools', tool('')) })
    expect(reason('tool-dice')).to.match(/has no contribution point “tools”; did you mean “tool”\?/)
    expect(recorder.events).not.to.include('tool-dice setup')
    await host.stop()
  })

  it('has only collections under the id of its plugin', async () => {
    const { host, reason, opened } = await start({ contributes: [], collections: `[{ name: 'agents.chats', version: 1, indexes: {} }]` })
    expect(reason('tool-dice'))
      .to.contain('declares the collection “agents.chats”')
      .and.contain('must begin with “tool_dice.”: “tool_dice.chats”')
    expect(opened).to.deep.equal([])
    await host.stop()
  })

  it('is named <plugin>__<tool>, also if the author wrote that', async () => {
    const setup = `${contribute('tool', tool(''))}; ${contribute('tool', tool(`name: 'tool_dice__reroll'`))}`
    const { host, contributions, state } = await start({ contributes: ['tool'], setup })
    expect(state('tool-dice')).to.equal('active')
    expect(contributions.list(tools).map(({ key, value }) => [key, value.name])).to.deep.equal([
      ['tool_dice__reroll', 'tool_dice__reroll'],
      ['tool_dice__roll_dice', 'tool_dice__roll_dice'],
    ])
    await host.stop()
  })

  it('of a built-in plugin keeps its name', async () => {
    await tree.write({ manifest: { id: 'tool-cards', contributes: ['tool'] }, setup: contribute('tool', tool('')) })
    const { host, contributions } = await createTestHost(tree)
    await host.start()
    expect(contributions.list(tools).map(({ key }) => key)).to.deep.equal(['roll_dice'])
    await host.stop()
  })

  it('may be an object of a class, with fields of its own', async () => {
    const head = `class Dice {
      specVersion = 1; name = 'roll_dice'; title = 'Roll dice'; parameters = sdk.Type.Object({}); supports = { probe: false }; sides = 6
      get description() { return 'Rolls dice with ' + this.sides + ' sides.' }
      async execute() { return { content: [{ type: 'text', text: String(this.sides) }] } }
    }`
    const { host, contributions, reason } = await start({ contributes: ['tool'], head, setup: contribute('tool', 'new Dice()') })
    expect(reason('tool-dice')).to.equal(null)
    const value = contributions.list(tools)[0]?.value
    expect(value?.description).to.equal('Rolls dice with 6 sides.')
    expect(await value?.execute({}, {} as never)).to.deep.equal({ content: [{ type: 'text', text: '6' }] })
    await host.stop()
  })

  for (const [what, member, message] of [
    ['throws', `purpose() { throw new Error('no purpose') }`, 'no purpose'],
    ['is asynchronous', `async purpose() { throw new Error('late') }`, 'returned a promise'],
    ['gives no text', 'purpose: () => 6', 'a value of the type number'],
  ] as const) {
    it(`falls back to the title if the purpose of a tool ${what}, and the plugin is marked`, async () => {
      const { host, contributions, reason, state, lines } = await start({ contributes: ['tool'], setup: contribute('tool', tool(member)) })
      expect(contributions.list(tools)[0]?.value.purpose?.({})).to.equal('Roll dice')
      expect(state('tool-dice')).to.equal('active')
      expect(reason('tool-dice')).to.contain('1 error(s) escaped').and.contain(message)
      const logged = lines.find(({ fields }) => fields['place'] === 'purpose of the tool roll_dice')
      expect(logged?.fields).to.include({ plugin: 'tool-dice', kind: 'broken contribution' })
      expect(logged?.fields['error']).to.have.property('stack').that.is.a('string')
      await host.stop()
    })
  }

  for (const [what, value] of [
    ['throws', null],
    ['is asynchronous', `Promise.reject(new Error('late'))`],
    ['gives no list', 'undefined'],
    ['gives one key twice', `[{ key: 'a', label: 'A' }, { key: 'a', label: 'B' }]`],
    ['gives a key that is too long', `[{ key: 'a'.repeat(501), label: 'A' }]`],
    ['gives no label', `[{ key: 'a' }]`],
    ['gives eleven', `Array.from({ length: 11 }, (_, key) => ({ key: String(key), label: 'A' }))`],
  ] as const) {
    it(`allows less of a tool for later if its scopes ${what}, or its exactly does the same, and the plugin is marked`, async () => {
      const body = value === null ? `throw new Error('no scopes')` : `return ${value}`
      const members = `scopes() { ${body} }, exactly() { ${body} }`
      const { host, contributions, reason } = await start({ contributes: ['tool'], setup: contribute('tool', tool(members)) })
      const [found] = contributions.list(tools)
      expect(found?.value.scopes?.({})).to.deep.equal([])
      expect(found?.value.exactly?.({})).to.equal(false)
      expect(reason('tool-dice')).to.contain('2 error(s) escaped')
      await host.stop()
    })
  }

  for (const [what, member] of [
    ['throws', `asks() { throw new Error('no question') }`],
    ['is asynchronous', `async asks() { return { question: 'How many?' } }`],
    ['gives no question', 'asks: () => 6'],
  ] as const) {
    it(`fails only the call if asks of a tool ${what}`, async () => {
      const { host, contributions, state, reason } = await start({ contributes: ['tool'], setup: contribute('tool', tool(member)) })
      expect(() => contributions.list(tools)[0]?.value.asks?.({})).to.throw()
      expect(state('tool-dice')).to.equal('active')
      expect(reason('tool-dice')).to.contain('1 error(s) escaped')
      await host.stop()
    })
  }

  for (const [what, member, verdict] of [
    ['throws', `offered() { throw new Error('no verdict') }`, false],
    ['is asynchronous', 'async offered() { return true }', false],
    ['gives neither true nor false', 'offered: () => 1', false],
    ['asks for memory', 'offered: ({ memory }) => memory.enabled', true],
  ] as const) {
    it(`${verdict ? 'offers' : 'withholds'} a tool if its offered ${what}`, async () => {
      const { host, contributions, reason } = await start({ contributes: ['tool'], setup: contribute('tool', tool(member)) })
      const agent = { id: 'a', handle: 'agent', userId: 'u', memory: { enabled: true } }
      expect(contributions.list(tools)[0]?.value.offered?.(agent)).to.equal(verdict)
      expect(reason('tool-dice')?.includes('1 error(s) escaped') ?? false).to.equal(!verdict)
      await host.stop()
    })
  }

  for (const [what, member] of [
    ['nothing', 'execute: () => undefined'],
    ['a text', `execute: async () => 'six'`],
    ['an unknown part', `execute: async () => ({ content: [{ type: 'audio' }] })`],
  ] as const) {
    it(`fails only the call if a tool answers with ${what}`, async () => {
      const { host, contributions, state } = await start({ contributes: ['tool'], setup: contribute('tool', tool(member)) })
      const call = contributions.list(tools)[0]?.value.execute({}, {} as never)
      expect(
        await call?.then(
          () => undefined,
          ({ code }: { readonly code: string }) => code,
        ),
      ).to.equal('tool_member_invalid')
      expect(state('tool-dice')).to.equal('active')
      await host.stop()
    })
  }

  for (const [what, files] of [
    ['an absolute path', `[{ path: '/etc/passwd' }]`],
    ['a path that leads out', `[{ path: 'ok.txt' }, { path: '../other/secret.txt' }]`],
    ['no list', `'a.txt'`],
    ['too many', `Array.from({ length: 51 }, (_, index) => ({ path: 'f' + index }))`],
  ] as const) {
    it(`leaves the files out of a result that names ${what}, and keeps the rest`, async () => {
      const execute = `execute: async () => ({ content: [{ type: 'text', text: 'six' }], files: ${files} })`
      const { host, contributions, reason } = await start({ contributes: ['tool'], setup: contribute('tool', tool(execute)) })
      const result = await contributions.list(tools)[0]?.value.execute({}, {} as never)
      expect(result).to.deep.equal({ content: [{ type: 'text', text: 'six' }] })
      expect(reason('tool-dice')).to.contain('1 error(s) escaped')
      await host.stop()
    })
  }

  it('keeps the files of a result that are named well', async () => {
    const execute = `execute: async () => ({ content: [], files: [{ path: 'charts/sales.png' }] })`
    const { host, contributions } = await start({ contributes: ['tool'], setup: contribute('tool', tool(execute)) })
    const result = await contributions.list(tools)[0]?.value.execute({}, {} as never)
    expect(result).to.deep.equal({ content: [], files: [{ path: 'charts/sales.png' }] })
    await host.stop()
  })
})
