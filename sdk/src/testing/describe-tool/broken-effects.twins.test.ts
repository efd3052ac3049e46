import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import type { Tool, ToolContext } from '../../contracts/tool/tool.js'
import { Type } from '../../core/type.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeTool, type ToolSuiteOptions, type ToolWithState } from './index.js'

/** A list in a store that answers a turn later, with the calls that wrote into it. */
interface Shelf {
  entries: { readonly call: string; readonly text: string }[]
}

type Change = (shelf: Shelf, tool: Tool) => Partial<Tool>

const done = { content: [{ type: 'text', text: 'It is on the list.' }] } as const

function createTool(change: Change = () => ({})): ToolWithState {
  const shelf: Shelf = { entries: [] }
  const create = (): Tool => {
    const plain = plainTool(shelf)
    return { ...plain, ...change(shelf, plain) }
  }
  return { tool: create(), restarted: create, state: () => shelf.entries.map(({ text }) => text) }
}

function plainTool(shelf: Shelf): Tool {
  return {
    specVersion: 1,
    name: 'add_to_list',
    title: 'Add to the list',
    description: 'Adds an entry to the list of the household.',
    parameters: Type.Object({ text: Type.String() }),
    effect: 'idempotent',
    supports: { probe: true },
    async execute({ text }, { callId, signal }) {
      signal.throwIfAborted()
      await nextTurn()
      signal.throwIfAborted()
      if (!shelf.entries.some(({ call }) => call === callId)) shelf.entries.push({ call: callId, text: String(text) })
      return structuredClone(done) as never
    },
    probe: async (callId) => (shelf.entries.some(({ call }) => call === callId) ? 'done' : 'not_done'),
  }
}

/** Runs the suite against a modified tool; returns the titles of the failed tests and the notes. */
async function outcome(change: Change, options: Partial<ToolSuiteOptions> = {}) {
  const runner = createCollectingRunner()
  describeTool({
    name: 'list',
    runner,
    abortLimitMs: 50,
    create: () => createTool(change),
    examples: ['Milk', 'Bread'].map((text) => ({
      title: text,
      input: { text },
      after: [text],
      again: [text, text],
      check: ({ content }) => expect(content).to.deep.equal(done.content),
    })),
    secrets: [],
    stranger: 'not applicable',
    ...options,
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  const failed = results
    .filter(({ error }) => error !== undefined)
    .map(({ title }) => title.replace('tool list › ', '').replace(/: (Milk|Bread)$/, ''))
  return { failed: [...new Set(failed)], notes: runner.notes }
}

const once = 'has its effect once when a call is repeated, if it is idempotent'
const onceAborted = 'has its effect once when an aborted call is repeated, if it is idempotent'
const reads = 'changes nothing, if it reads'
const probes = 'probes what has had its effect, if it supports probe'
const together = 'loses nothing of calls at once'
const late = 'changes nothing after the end of an aborted call'
const ends = 'ends when it is aborted'
const keeps = 'does not change a result that it has returned'
const silent = 'shows and reports nothing after its result'
const beside = 'answers each of several calls at once as if it were alone, if it is parallel'

const answered = 'has had its effect when it answers'
const each = 'has its own effect in each call'
const restart = 'has its effect once when a call is repeated after a restart, if it is idempotent'

const faults: readonly (readonly [string, Change, readonly string[]])[] = [
  [
    'an idempotent tool that counts a repeated call twice',
    (shelf) => ({
      async execute({ text }, { callId, signal }) {
        signal.throwIfAborted()
        shelf.entries.push({ call: callId, text: String(text) })
        return done as never
      },
    }),
    [once, onceAborted, restart],
  ],
  [
    'an idempotent tool that refuses a repeated call',
    (shelf, plain) => ({
      async execute(input, context) {
        if (shelf.entries.some(({ call }) => call === context.callId))
          return { isError: true, content: [{ type: 'text', text: 'It is there.' }] }
        return plain.execute(input, context)
      },
    }),
    [once],
  ],
  [
    'an idempotent tool that remembers an aborted call as made',
    (shelf, plain) => {
      const begun = new Set<string>()
      return {
        async execute(input, context) {
          if (begun.has(context.callId)) return structuredClone(done) as never
          begun.add(context.callId)
          return plain.execute(input, context)
        },
        probe: async (callId) => (shelf.entries.some(({ call }) => call === callId) ? 'done' : 'not_done'),
      }
    },
    [onceAborted],
  ],
  ['a tool that reads and changes something', () => ({ effect: 'read' }), [reads]],
  [
    'a probe that sends a call again which was made',
    () => ({ effect: 'checkable', probe: async () => 'not_done' }),
    [probes, late, restart],
  ],
  [
    'a tool that loses one of two calls at once',
    (shelf) => ({
      async execute({ text }, { callId, signal }) {
        signal.throwIfAborted()
        const entries = shelf.entries.filter(({ call }) => call !== callId)
        await nextTurn()
        signal.throwIfAborted()
        shelf.entries = [...entries, { call: callId, text: String(text) }]
        return structuredClone(done) as never
      },
    }),
    [together],
  ],
  [
    'a tool that goes on behind its abort',
    (_shelf, plain) => ({
      execute: (input, context) =>
        new Promise((resolve, reject) => {
          context.signal.addEventListener('abort', () => reject(new Error('stopped')))
          if (context.signal.aborted) reject(new Error('stopped'))
          else void nextTurn().then(() => plain.execute(input, { ...context, signal: new AbortController().signal }).then(resolve))
        }),
    }),
    [late],
  ],
  [
    'a tool that waits for an abort that has been',
    (_shelf, plain) => ({
      execute: (input, context) =>
        context.signal.aborted
          ? new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(new Error('stopped'))))
          : plain.execute(input, context),
    }),
    [onceAborted, late, ends, restart],
  ],
  [
    'a result that later calls change',
    (shelf, plain) => {
      const content: unknown[] = []
      return {
        async execute(input, context) {
          await plain.execute(input, context)
          content.splice(0, 1, { type: 'text', text: 'It is on the list.', ...(shelf.entries.length > 1 && { text: 'There are more.' }) })
          return { content } as never
        },
      }
    },
    [keeps],
  ],
  [
    'progress after the result',
    (_shelf, plain) => ({
      async execute(input, context) {
        const result = await plain.execute(input, context)
        void nextTurn().then(() => context.progress({ message: 'Nearly done' }))
        return result
      },
    }),
    [silent],
  ],
  [
    'a parallel tool that mixes up calls',
    (_shelf, plain) => {
      let calls = 0
      return {
        parallel: true,
        async execute(input, context) {
          calls += 1
          const result = await plain.execute(input, context)
          const alone = calls === 1
          calls -= 1
          return alone ? result : { content: [{ type: 'text', text: 'Somebody else’s.' }] }
        },
      }
    },
    [beside],
  ],
]

/** Adds the entry under a key, unless the key is there. */
const keyedBy =
  (keyOf: (input: { readonly text?: unknown }, context: ToolContext) => string): Change =>
  (shelf) => ({
    async execute(input, context) {
      context.signal.throwIfAborted()
      const call = keyOf(input, context)
      if (!shelf.entries.some((entry) => entry.call === call)) shelf.entries.push({ call, text: String(input['text']) })
      return structuredClone(done) as never
    },
    probe: async () => 'unknown',
  })

const laterFaults: typeof faults = [
  ['an idempotent tool that keys its effect by the chat', keyedBy((_input, { chatId }) => chatId), [each]],
  ['an idempotent tool that keys its effect by the run', keyedBy((_input, { runId }) => runId), [each]],
  ['an idempotent tool that keys its effect by the text', keyedBy(({ text }) => String(text)), [each]],
  [
    'an effect that comes after the answer',
    (_shelf, plain) => ({
      async execute(input, context) {
        context.signal.throwIfAborted()
        void plain.execute(input, context).catch(() => undefined)
        return structuredClone(done) as never
      },
      probe: async () => 'unknown',
    }),
    [answered, each],
  ],
  [
    'an effect that never comes',
    () => ({ execute: async () => structuredClone(done) as never, probe: async () => 'unknown' }),
    [answered, each],
  ],
  [
    'an effect on what the call does not name',
    (shelf, plain) => ({
      async execute(input, context) {
        const result = await plain.execute(input, context)
        shelf.entries = shelf.entries.map((entry) => ({ ...entry, text: 'Salt' }))
        return result
      },
    }),
    [answered, each],
  ],
  [
    'an idempotent tool that forgets its keys in a restart',
    (shelf) => {
      const keys = new Set<string>()
      return {
        async execute({ text }, { callId, signal }) {
          signal.throwIfAborted()
          if (!keys.has(callId)) shelf.entries.push({ call: 'unknown', text: String(text) })
          keys.add(callId)
          return structuredClone(done) as never
        },
        probe: async () => 'unknown',
      }
    },
    [restart],
  ],
  [
    'a probe that forgets in a restart what was done',
    (_shelf, plain) => {
      const keys = new Set<string>()
      return {
        effect: 'checkable',
        async execute(input, context) {
          const result = await plain.execute(input, context)
          keys.add(context.callId)
          return result
        },
        probe: async (callId) => (keys.has(callId) ? 'done' : 'not_done'),
      }
    },
    [restart],
  ],
  [
    'a probe that waits for an abort that has been',
    () => ({
      probe: (_callId, { signal }) =>
        signal.aborted
          ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
          : Promise.resolve('unknown'),
    }),
    ['ends a probe that is aborted, if it supports probe'],
  ],
]

describe('describeTool, of what a call changes', () => {
  it('passes a tool that keeps the contract, and has nothing to say', async () => {
    expect(await outcome(() => ({}))).to.deep.equal({ failed: [], notes: [] })
  })
  it('passes parallel calls that lose nothing', async () => {
    expect(await outcome(() => ({ parallel: true }))).to.deep.equal({ failed: [], notes: [] })
  })
  it('says what it did not check without the state', async () => {
    const { failed, notes } = await outcome(() => ({}), { create: () => createTool().tool })
    expect(failed).to.deep.equal([])
    expect(notes).to.have.length(1)
    expect(notes[0]).to.match(
      /^tool list: not checked, because “state” was not given: a call has had its effect when it answers; calls at once lose nothing of each other; an idempotent call that is repeated has its effect once; /,
    )
  })
  it('says what it did not check with the state alone', async () => {
    const { failed, notes } = await outcome(() => ({}), {
      create() {
        const { tool, state } = createTool()
        return { tool, state }
      },
      examples: [{ title: 'Milk', input: { text: 'Milk' } }],
    })
    expect(failed).to.deep.equal([])
    expect(notes).to.deep.equal([
      'tool list: not checked, because “after” was not given: a call changes what it should, and nothing else',
      'tool list: not checked, because “again” was not given: another call with the same input has its own effect',
      'tool list: not checked, because “restarted” was not given: a call that is repeated, or asked about, after a restart has its effect once',
    ])
  })
  it('says nothing of a tool that is said to change nothing', async () => {
    const create = (): ToolWithState => ({ tool: { ...createTool().tool, effect: 'read' }, state: 'not applicable' })
    expect(await outcome(() => ({}), { create })).to.deep.equal({ failed: [], notes: [] })
  })
  it('catches a reading tool that writes into the list that it shows', async () => {
    const change: Change = (shelf) => ({
      effect: 'read',
      async execute() {
        shelf.entries.push({ call: '', text: 'Salt' })
        return structuredClone(done) as never
      },
      probe: async () => 'unknown',
    })
    const create = (): ToolWithState => {
      const shelf: Shelf = { entries: [] }
      const tool = { ...plainTool(shelf), ...change(shelf, plainTool(shelf)) }
      return { tool, state: () => shelf.entries as never }
    }
    const examples = [{ title: 'Milk', input: { text: 'Milk' } }]
    expect((await outcome(change, { create, examples })).failed).to.include(reads)
  })
  it('catches a state that tools share', async () => {
    const shared = createTool()
    const { failed } = await outcome(() => ({}), { create: () => shared })
    expect(failed).to.include('shares no data with another tool, as its state needs')
  })
  for (const [what, change, titles] of [...faults, ...laterFaults]) {
    it(`catches ${what}`, async () => {
      expect([...(await outcome(change)).failed].sort()).to.deep.equal([...titles].sort())
    })
  }
})
