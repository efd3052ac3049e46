import { EventEmitter, on } from 'node:events'
import { expect } from 'chai'
import type { SourceTool, ToolSource, ToolSourceChange } from '../../contracts/tool-source/tool-source.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeToolSource } from './index.js'

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
  const source: ToolSource = {
    specVersion: 1,
    id: 'town-hall',
    title: 'Town hall',
    supports: { probe: true },
    tools: async ({ userId }) => (userId === 'user-1' ? structuredClone(list) : []),
    execute: async (name, input, { userId }) => {
      if (userId !== 'user-1' || !list.some((tool) => tool.name === name))
        return { isError: true, content: [{ type: 'text', text: `There is no “${name}”.` }] }
      if (typeof input['name'] !== 'string') return { isError: true, content: [{ type: 'text', text: 'Who?' }] }
      return { content: [{ type: 'text', text: `Hello, ${input['name']}` }] }
    },
    probe: async () => 'not_done',
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
    expect(await failing(() => ({}), {}, null)).to.deep.equal([changes])
    expect(await failing(() => ({}), {}, { userId: 'user-2' })).to.deep.equal([changes])
  })
})

describe('describeToolSource, of what calls change', () => {
  const effects = (effect: 'read' | 'idempotent', writes: (texts: Map<string, string>, callId: string) => void, hasState = true) => {
    const runner = createCollectingRunner()
    describeToolSource({
      name: 'plain',
      runner,
      create() {
        const texts = new Map<string, string>()
        const { source } = plainSource()
        return {
          source: {
            ...source,
            changes: undefined as never,
            tools: async () => [{ ...greet, effect }],
            async execute(name, input, context) {
              const result = await source.execute(name, input, context)
              if (result.isError !== true) writes(texts, context.callId)
              return result
            },
          },
          ...(hasState && { state: () => texts.size }),
        }
      },
      examples: [{ title: 'one', tool: 'greet', input: { name: 'Ada' } }],
    })
    return runner
  }
  const title = 'tool source plain › changes nothing by reading, and once by an idempotent call that is repeated: one'
  const failed = async (runner: ReturnType<typeof effects>): Promise<readonly string[]> =>
    (await runner.run()).filter(({ error }) => error !== undefined).map((result) => result.title)

  it('passes calls that have their effect once', async () => {
    expect(await failed(effects('idempotent', (texts, callId) => void texts.set(callId, 'x')))).to.deep.equal([])
  })
  it('catches a call that has its effect twice, and one that reads and writes', async () => {
    expect(await failed(effects('idempotent', (texts) => void texts.set(String(texts.size), 'x')))).to.deep.equal([title])
    expect(await failed(effects('read', (texts, callId) => void texts.set(callId, 'x')))).to.deep.equal([title])
  })
  it('says what it did not check', async () => {
    const runner = effects('idempotent', () => undefined, false)
    await runner.run()
    expect(runner.notes).to.deep.equal([
      'tool source plain: not checked, because “stranger” was not given: another user neither sees nor calls the tools of the owner',
      'tool source plain: not checked, because “state” was not given: a tool that reads changes nothing; a repeated idempotent call has its effect once',
    ])
  })
})
