import { EventEmitter, on } from 'node:events'
import { expect } from 'chai'
import type { ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import type { SourceTool, ToolSource, ToolSourceChange, ToolSourceOwner } from '../../contracts/tool-source/tool-source.js'
import type { JsonObject } from '../../core/json.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeToolSource, type ToolSourceSuiteOptions, type ToolSourceUnderTest } from './index.js'

const greet: SourceTool = {
  name: 'greet',
  description: 'Greets a person by name.',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  effect: 'checkable',
}

/** A source whose owner has one tool, and another one after the change. */
function plainSource(): { readonly source: ToolSource; readonly list: SourceTool[]; readonly bus: EventEmitter } {
  const list = [greet]
  const bus = new EventEmitter()
  const done = new Set<string>()
  const source: ToolSource = {
    specVersion: 1,
    id: 'town-hall',
    title: 'Town hall',
    supports: { probe: true },
    tools: async ({ userId }) => (userId === 'user-1' ? structuredClone(list) : []),
    execute: async (name, input, { userId, callId }) => {
      if (userId !== 'user-1' || !list.some((tool) => tool.name === name))
        return { isError: true, content: [{ type: 'text', text: `There is no “${name}”.` }] }
      if (typeof input['name'] !== 'string') return { isError: true, content: [{ type: 'text', text: 'Who?' }] }
      done.add(callId)
      return { content: [{ type: 'text', text: `Hello, ${input['name']}` }] }
    },
    probe: async (_, callId) => (done.has(callId) ? 'done' : 'not_done'),
    async *changes({ signal }) {
      for await (const [change] of on(bus, 'change', { signal })) yield change as ToolSourceChange
    },
  }
  return { source, list, bus }
}

type Change = (plain: ToolSource, list: SourceTool[]) => Partial<ToolSource>

/** Runs the suite against a modified source; returns the titles of the failed tests. */
async function failing(
  change: Change,
  tool: Partial<SourceTool> = {},
  told: ToolSourceChange | null = { userId: 'user-1' },
): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeToolSource({
    name: 'plain',
    runner,
    limitMs: 50,
    stranger: { userId: 'user-2', agentId: 'agent-2', agentHandle: 'other' },
    create() {
      const { source, list, bus } = plainSource()
      list[0] = { ...greet, ...tool }
      return {
        source: { ...source, ...change(source, list) },
        async change() {
          list.push({ ...greet, name: 'say_goodbye' })
          if (told) bus.emit('change', told)
        },
      }
    },
    examples: [
      {
        title: 'one',
        tool: 'greet',
        input: { name: 'Ada' },
        check: ({ content }) => {
          if (content[0]?.type === 'text' && content[0].text === '') throw new Error('The greeting is empty.')
        },
      },
      { title: 'none', tool: 'greet', input: {}, isError: true },
    ],
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('tool source plain › ', ''))
}

const probes = 'has probe with a checkable tool'
const list = 'lists plain data, unique names, at most 1,000'
const names = 'has a name and a description for each tool'
const schema = 'has an object schema for each tool, within the limits'
const states = 'states a known effect and approval and a sensible time limit'
const examples = 'has examples of its tools'
const changes = 'reports a changed list, if it has changes'
const again = 'reports it again to a second listener, as the host is after an end'
const probed = 'probes what has had its effect, if its tool is checkable: one'
const plainData = (title: string): string => `answers with plain data, and does not change its input: ${title}`
const deep = (levels: number): SourceTool['parameters'] => (levels === 0 ? {} : { type: 'object', properties: { inner: deep(levels - 1) } })
const text = (value: string) => [{ type: 'text' as const, text: value }]

const strangers = 'answers a stranger who calls a tool of the owner with an error'
const returned = 'does not change a list that it has returned, nor by what is done to it'
const faults: readonly (readonly [string, Change, readonly string[]])[] = [
  [
    'a tool of the owner that answers a stranger',
    (plain) => ({ execute: (name, input, context) => plain.execute(name, input, { ...context, userId: 'user-1' }) }),
    [strangers],
  ],
  [
    'a list that is shared with who asked for it',
    (_, kept) => ({ tools: async ({ userId }) => (userId === 'user-1' ? kept : []) }),
    [returned],
  ],
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  ['an id that no name can begin with', () => ({ id: 'Town Hall' }), [soundTitle]],
  ['an id that leaves no room', () => ({ id: 'the-town-hall-of-a-very-long-name' }), [soundTitle]],
  ['no title', () => ({ title: '' }), [soundTitle]],
  ['a probe that it does not support', () => ({ supports: { probe: false } }), [soundTitle, probes]],
  ['a name that is there twice', () => ({ tools: async ({ userId }) => (userId === 'user-1' ? [greet, greet] : []) }), [list, changes]],
  [
    'a list that is not plain data',
    (_, kept) => ({ tools: async ({ userId }) => (userId === 'user-1' ? kept.map((tool) => ({ ...tool, made: new Date(0) })) : []) }),
    [list],
  ],
  ['tools of another user', (_, kept) => ({ tools: async () => [...kept] }), ['lists nothing of the owner for a stranger']],
  [
    'a list that continues after its abort',
    (plain) => ({
      tools: (owner, { signal }) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(plain.tools(owner, { signal })), 5)
          signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    }),
    ['ends a list that is aborted'],
  ],
  ['a list that never changes', () => ({ tools: async ({ userId }) => (userId === 'user-1' ? [greet] : []) }), [changes]],
  [
    'changes that continue after their abort',
    (plain) => ({
      changes: () => {
        const inner = plain.changes?.({ signal: new AbortController().signal }) ?? []
        return { [Symbol.asyncIterator]: () => (inner as AsyncIterable<ToolSourceChange>)[Symbol.asyncIterator]() }
      },
    }),
    ['ends its changes when they are aborted'],
  ],
  ['an unexpected error', () => ({ execute: async () => ({ isError: true, content: text('x') }) }), ['answers: one']],
  [
    'an error that is not marked',
    () => ({ execute: async () => ({ content: text('x') }) }),
    ['answers: none', 'returns an error for an unknown tool'],
  ],
  [
    'an exception for an unknown tool',
    (plain, kept) => ({
      execute: (name, input, context) => {
        if (!kept.some((tool) => tool.name === name)) throw new Error(`no ${name}`)
        return plain.execute(name, input, context)
      },
    }),
    ['returns an error for an unknown tool'],
  ],
  [
    'a result that is not plain data',
    (plain) => ({
      execute: async (name, input, context) => {
        const { isError } = await plain.execute(name, input, context)
        return { ...(isError && { isError }), content: [{ type: 'json', json: { at: new Date(0) as never } }] }
      },
    }),
    [plainData('one'), plainData('none')],
  ],
  [
    'an input that is changed',
    (plain) => ({
      execute: async (name, input, context) => {
        const result = await plain.execute(name, { ...input }, context)
        Object.assign(input, { name: 'changed' })
        return result
      },
    }),
    [plainData('one'), plainData('none')],
  ],
  [
    'a call that continues after its abort',
    (plain) => ({
      execute: (name, input, context) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(plain.execute(name, input, context)), 5)
          context.signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    }),
    ['ends when it is aborted: one', 'ends when it is aborted: none'],
  ],
  ['a probe that denies a call that has been', () => ({ probe: async () => 'not_done' }), [probed]],
  [
    'changes that only the first listener gets',
    (plain) => {
      let isOpen = false
      return {
        async *changes(options) {
          if (isOpen) return
          isOpen = true
          yield* plain.changes?.(options) ?? []
        },
      }
    },
    [again],
  ],
  [
    'a list that changes without notice',
    (plain) => {
      let count = 0
      return {
        async tools(owner, options) {
          const tools = await plain.tools(owner, options)
          count += 1
          return tools.map((tool, index) => (index === 0 && count > 1 ? { ...tool, approval: 'always' as const } : tool))
        },
      }
    },
    ['has the same list until it reports a change'],
  ],
  [
    'a list for the last who asked',
    (plain) => {
      let last: ToolSourceOwner | undefined
      return {
        async tools(owner, options) {
          last = owner
          await new Promise((resolve) => setImmediate(resolve))
          return plain.tools(last, options)
        },
      }
    },
    ['lists nothing of the owner for a stranger'],
  ],
  [
    'content that no model reads',
    (plain) => ({
      async execute(name, input, context) {
        const result = await plain.execute(name, input, context)
        return result.isError ? result : { content: [{ type: 'text' } as never] }
      },
    }),
    ['answers: one'],
  ],
  [
    'an error for an unknown tool that no model reads',
    (plain) => ({
      async execute(name, input, context) {
        const result = await plain.execute(name, input, context)
        return name === 'greet' ? result : { isError: true, content: [{} as never] }
      },
    }),
    ['returns an error for an unknown tool'],
  ],
  [
    'a result that later calls change',
    (plain) => {
      const content: { type: 'text'; text: string }[] = []
      return {
        async execute(name, input, context) {
          const result = await plain.execute(name, input, context)
          if (result.isError) return result
          content.push({ type: 'text', text: `Hello, ${context.callId}` })
          return { content }
        },
      }
    },
    ['does not change a result that it has returned: one'],
  ],
  [
    'a call that reports behind its result',
    (plain) => ({
      async execute(name, input, context) {
        const result = await plain.execute(name, input, context)
        setImmediate(() => void context.progress({ message: 'Still greeting.' }))
        return result
      },
    }),
    ['shows and reports nothing after its result: one'],
  ],
  [
    'a list that is never looked up again',
    (plain) => {
      const lists = new Map<string, Promise<readonly SourceTool[]>>()
      return {
        changes: undefined as never,
        async tools(owner, options) {
          if (!lists.has(owner.userId)) lists.set(owner.userId, plain.tools(owner, options))
          return structuredClone((await lists.get(owner.userId)) ?? [])
        },
      }
    },
    ['lists what has changed'],
  ],
  ['a probe that claims an unknown call', () => ({ probe: async () => 'done' }), ['can probe an unknown call, if it supports probe']],
]

const badTools: readonly (readonly [string, Partial<SourceTool>, readonly string[]])[] = [
  ['a tool without a name', { name: '' }, [names, examples]],
  ['a title of several lines', { title: 'One\ntwo' }, [names]],
  ['a description that does not help', { description: 'Hi' }, [names]],
  ['a schema that is not of an object', { parameters: { type: 'string' } }, [schema]],
  ['a schema that is too large', { parameters: { type: 'object', description: 'x'.repeat(40_000) } }, [schema]],
  ['a schema that is too deep', { parameters: deep(20) }, [schema]],
  ['an unknown effect', { effect: 'harmless' as never }, [states]],
  ['an unknown approval', { approval: 'sometimes' as never }, [states]],
  ['a time limit of nothing', { timeoutMs: 0 }, [states]],
]

describe('describeToolSource', () => {
  it('passes a source that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
  for (const [what, tool, titles] of badTools) {
    it(`catches ${what}`, async () => {
      const found = await failing(() => ({}), tool)
      // The examples call a tool with another name.
      const due = tool.name === undefined ? found : found.filter((title) => !title.startsWith('answers'))
      expect(due).to.include.members([...titles])
    })
  }
  it('catches a change that is not reported, and one that is reported for another user', async () => {
    expect(await failing(() => ({}), {}, null)).to.deep.equal([changes, again])
    expect(await failing(() => ({}), {}, { userId: 'user-2' })).to.deep.equal([changes, again])
  })
})

describe('describeToolSource, of what calls change', () => {
  type Texts = Map<string, string>
  type Write = (texts: Texts, context: ToolContext) => unknown
  const once: Write = (texts, { callId }) => texts.set(callId, 'x')
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  /** Runs the suite with a source whose calls write; `around` is what happens beside. */
  const run = async (effect: SourceTool['effect'], write: Write, around: Partial<Around> = {}) => {
    const { before = () => undefined, held = 0, given = {}, options = {}, result = {} } = around
    const runner = createCollectingRunner()
    describeToolSource({
      name: 'plain',
      runner,
      limitMs: 50,
      stranger: { userId: 'user-2', agentId: 'agent-2', agentHandle: 'other' },
      secrets: [],
      create() {
        const texts: Texts = new Map()
        const { source } = plainSource()
        let calls = 0
        const execute = around.execute?.()
        return {
          source: {
            ...source,
            changes: undefined as never,
            tools: async (owner, signal) =>
              (await source.tools(owner, signal)).map((tool) => ({ ...tool, ...(effect && { effect }), ...around.tool })),
            async execute(name, input, context) {
              calls += held
              before(texts, context, name)
              const came = await (execute && name === 'greet' ? execute(input) : source.execute(name, input, context))
              if (came.isError !== true) await write(texts, context)
              return { ...came, ...result }
            },
          },
          state: () => [...texts.entries()].sort(),
          held: () => calls,
          ...given,
        }
      },
      examples: [{ title: 'one', tool: 'greet', input: { name: 'Ada' } }],
      ...options,
    })
    const results = await runner.run()
    const failed = results.filter(({ error }) => error !== undefined).map((each) => each.title.replace('tool source plain › ', ''))
    return { failed, notes: runner.notes }
  }
  interface Around {
    readonly before: (texts: Texts, context: ToolContext, name: string) => unknown
    readonly held: number
    readonly given: Partial<ToolSourceUnderTest>
    readonly options: Partial<ToolSourceSuiteOptions>
    readonly result: object
    readonly tool: Partial<SourceTool>
    /** Makes what answers the calls. Default: the plain source. */
    readonly execute: () => (input: JsonObject) => Promise<ToolResult>
  }
  const twice = 'changes nothing by reading, and once by an idempotent call that is repeated: one'
  const aborted = 'changes nothing after the end of an aborted call, and once by its repetition: one'
  const nothing = 'does nothing for a stranger, nor for a call of an unknown tool'

  it('passes calls that have their effect once, and says nothing when everything is given', async () => {
    expect(await run('idempotent', once)).to.deep.equal({ failed: [], notes: [] })
    expect(await run('read', () => undefined)).to.deep.equal({ failed: [], notes: [] })
    expect(await run('unsafe', (texts) => texts.set(String(texts.size), 'x'))).to.deep.equal({ failed: [], notes: [] })
  })
  const faults: readonly (readonly [string, SourceTool['effect'], Write, Partial<Around>, readonly string[]])[] = [
    ['a call that has its effect twice', 'idempotent', (texts) => texts.set(String(texts.size), 'x'), {}, [twice, aborted]],
    ['a call that reads and writes', 'read', once, {}, [twice]],
    ['a call of a stranger that is refused and made', 'idempotent', () => undefined, { before: once }, [nothing]],
    [
      'a call of an unknown tool that is refused and made',
      'idempotent',
      once,
      { before: (texts, { callId }, name) => name === 'greet' || texts.set(`${callId} of ${name}`, 'x') },
      [nothing],
    ],
    ['a call that does nothing', 'idempotent', () => undefined, {}, ['changes something by an example of each tool that declares to']],
    [
      'calls at once of which one is lost',
      'unsafe',
      async (texts) => {
        const { size } = texts
        await turn()
        texts.set(String(size), 'x')
      },
      {},
      ['loses nothing of calls at once: one'],
    ],
    [
      'a call that goes on behind its abort',
      'unsafe',
      (texts, { callId, signal }) => {
        const work = turn().then(() => void texts.set(callId, 'x'))
        return signal.aborted ? undefined : work
      },
      {},
      [aborted],
    ],
    [
      'a call that answers another one',
      'read',
      () => undefined,
      {
        execute: () => {
          let last: JsonObject = {}
          return async (input) => {
            last = input
            await turn()
            return { content: [{ type: 'text', text: `Hello, ${String(last['name'])}` }] }
          }
        },
        options: {
          examples: ['Ada', 'Bob'].map((name) => ({
            ...{ title: name, tool: 'greet', input: { name } },
            check: ({ content }) => expect(content).to.deep.equal([{ type: 'text', text: `Hello, ${name}` }]),
          })),
        },
      },
      ['answers each of several calls at once as if it were alone, if its tool reads: Ada'],
    ],
    ['a listener that each call leaves', 'idempotent', once, { held: 1 }, ['holds nothing for changes and calls that have ended']],
    [
      'a secret in a result',
      'idempotent',
      once,
      {
        result: { content: [{ type: 'text', text: Buffer.from('open sesame!').toString('base64') }] },
        options: { secrets: ['open sesame!'] },
      },
      ['answers: one'],
    ],
    [
      'a secret in a report of progress',
      'idempotent',
      (texts, context) => {
        once(texts, context)
        return context.progress({ message: 'Opening with open sesame!' })
      },
      { options: { secrets: ['open sesame!'] } },
      ['answers: one'],
    ],
    [
      'a secret in a description',
      'idempotent',
      once,
      { tool: { description: 'Greets by the key open sesame!' }, options: { secrets: ['open sesame!'] } },
      ['lists plain data, unique names, at most 1,000'],
    ],
  ]
  for (const [what, effect, write, around, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect((await run(effect, write, around)).failed).to.include.members([...titles])
    })
  }
  it('says what it did not check, but not what does not apply', async () => {
    const none = { state: undefined, held: undefined } as never
    const { notes } = await run('idempotent', once, { given: none, options: { stranger: undefined, secrets: undefined } as never })
    expect(notes).to.deep.equal([
      'tool source plain: not checked, because “stranger” was not given: another user neither sees nor calls the tools of the owner',
      'tool source plain: not checked, because “secrets” was not given: no list and no result has a secret',
      'tool source plain: not checked, because “held” was not given: ended changes and calls leave no listener or connection behind',
      'tool source plain: not checked, because “state” was not given: calls at once lose nothing of each other; a repeated idempotent call has its effect once; an aborted call changes nothing after its end',
    ])
    const absent = { state: 'not applicable', held: 'not applicable' } as const
    expect(await run('read', () => undefined, { given: absent, options: { stranger: 'not applicable' } })).to.deep.equal({
      failed: [],
      notes: [],
    })
  })
})
