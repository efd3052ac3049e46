import { expect } from 'chai'
import type { AgentRunHook } from '../../contracts/agent-run-hook/run-hook.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeAgentRunHook } from './index.js'

const plainHook: AgentRunHook = {
  specVersion: 1,
  id: 'guard',
  title: 'Guard',
  beforeModelCall: async () => undefined,
  afterModelCall: async () => undefined,
  beforeToolCall: async ({ tool }) => (tool === 'erase_all' ? { veto: 'Erasing is not for agents.' } : undefined),
  afterToolCall: async () => undefined,
  mask: async ({ texts }) => texts.map((text) => text.replaceAll('s3cret', '[masked]')),
  maskAnswer: async ({ kind, texts }) => texts.map((text) => (kind === 'piece' ? '' : text.replaceAll('s3cret', '[masked]'))),
  runEnded: async () => undefined,
}

/** Runs the suite against a modified hook; returns the titles of the failed tests. */
async function failing(change: Partial<AgentRunHook>, masks = true): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeAgentRunHook({
    name: 'plain',
    runner,
    abortLimitMs: 50,
    create: () => ({ ...plainHook, ...change }),
    vetoes: [
      { title: 'erasing', beforeToolCall: { tool: 'erase_all' }, vetoed: true },
      { title: 'looking', beforeToolCall: { tool: 'look_up' } },
    ],
    ...(masks && { masks: [{ title: 'a value', texts: ['It is s3cret.', 'Nothing here'], hidden: ['s3cret'], kept: ['Nothing here'] }] }),
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('run hook plain › ', ''))
}

const kinds = ['progress', 'output', 'error', 'purpose', 'question']
const answers = (member: string): string => `answers as the contract states: ${member}`
const never = (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise(() => signal.addEventListener('abort', () => undefined))

const faults: readonly (readonly [string, Partial<AgentRunHook>, readonly string[]])[] = [
  [
    'a secret that is masked once',
    { mask: async ({ texts }) => texts.map((text) => text.replace('s3cret', '[masked]')) },
    ['masks what is hidden wherever it is, as often as it is there: a value'],
  ],
  [
    'a secret that is masked as a word alone',
    { mask: async ({ texts }) => texts.map((text) => text.replace(/(?<=\s)s3cret(?=[\s.]|$)/g, '[masked]')) },
    ['masks what is hidden wherever it is, as often as it is there: a value'],
  ],
  [
    'a secret in a long text',
    { mask: async ({ texts }) => texts.map((text) => (text.length > 5_000 ? text : text.replaceAll('s3cret', '[masked]'))) },
    ['masks what is hidden wherever it is, as often as it is there: a value'],
  ],
  [
    'a secret in an answer of many small pieces',
    {
      maskAnswer: async ({ kind, texts }) =>
        texts.map((text) => (kind === 'piece' && text.length > 3 ? '' : text.replaceAll('s3cret', '[masked]'))),
    },
    ['masks the answer of a model, in pieces and whole, if it masks answers: a value'],
  ],
  [
    'a reason that repeats the arguments',
    {
      beforeToolCall: async ({ tool, arguments: { query } }) =>
        tool === 'erase_all' || query === 's3cret' ? { veto: `“${String(query)}” is not for agents.` } : undefined,
    },
    ['gives no reason with what is hidden: a value'],
  ],
  [
    'output in pieces that is masked by the piece',
    { outputPieces: 'any' },
    ['masks output in pieces, if it takes it cut anywhere: a value'],
  ],
  [
    'texts that wait for those of another call',
    (() => {
      let waiting: readonly string[] = []
      return {
        async mask({ texts }) {
          const [mine] = [waiting.length > 0 ? waiting : texts]
          waiting = texts
          await Promise.resolve()
          waiting = []
          return mine.map((text) => text.replaceAll('s3cret', '[masked]'))
        },
      } satisfies Partial<AgentRunHook>
    })(),
    ['masks calls at once as if each were alone: a value'],
  ],
  ['another generation', { specVersion: 2 as never }, [soundTitle]],
  ['an id that cannot be one', { id: 'Guard!' }, [soundTitle]],
  ['no title', { title: ' ' }, [soundTitle]],
  ['an invalid order', { order: -1 }, [soundTitle]],
  ['a time limit beyond the longest', { timeoutMs: 60_000 }, [soundTitle]],
  ['an invalid verdict', { beforeModelCall: async () => true as never }, [answers('beforeModelCall')]],
  ['a veto without a reason', { afterModelCall: async () => ({ veto: '' }) }, [answers('afterModelCall')]],
  ['a reason of several lines', { afterToolCall: async () => ({ veto: 'One\ntwo' }) }, [answers('afterToolCall')]],
  ['an end with an answer', { runEnded: async () => 'thanks' as never }, [answers('runEnded')]],
  ['a missing veto', { beforeToolCall: async () => undefined }, ['vetoes: erasing']],
  ['a veto of everything', { beforeToolCall: async () => ({ veto: 'No.' }) }, ['lets pass: looking']],
  [
    'arguments that are changed',
    {
      beforeToolCall: async (call, options) => {
        const verdict = await plainHook.beforeToolCall?.(call, options)
        Object.assign(call.arguments, { query: 'changed' })
        return verdict
      },
    },
    ['does not change its input: beforeToolCall'],
  ],
  [
    'a text that is dropped',
    { mask: async ({ texts }) => texts.map((text) => text.replaceAll('s3cret', '*')).filter((text) => text !== '') },
    [answers('mask')],
  ],
  [
    'a text that is not a string',
    { mask: async ({ texts }) => texts.map((text) => (text === '' ? (undefined as never) : text.replaceAll('s3cret', '*'))) },
    [answers('mask')],
  ],
  [
    'a secret in progress',
    { mask: async ({ kind, texts }) => (kind === 'progress' ? texts : texts.map((text) => text.replaceAll('s3cret', '*'))) },
    ['masks each text of kind progress: a value'],
  ],
  [
    'a secret in output',
    { mask: async ({ kind, texts }) => (kind === 'output' ? texts : texts.map((text) => text.replaceAll('s3cret', '*'))) },
    ['masks each text of kind output: a value'],
  ],
  [
    'a secret in pieces of answers',
    { maskAnswer: async ({ kind, texts }) => (kind === 'piece' ? undefined : texts.map((text) => text.replaceAll('s3cret', '*'))) },
    ['masks the answer of a model, in pieces and whole, if it masks answers: a value'],
  ],
  [
    'a secret in whole answers',
    { maskAnswer: async ({ kind, texts }) => (kind === 'piece' ? [''] : texts) },
    ['masks the answer of a model, in pieces and whole, if it masks answers: a value'],
  ],
  [
    'a secret everywhere',
    { mask: async ({ texts }) => texts },
    [
      'masks a result: a value',
      'masks masked text again without a change: a value',
      ...kinds.map((kind) => `masks each text of kind ${kind}: a value`),
    ],
  ],
  ['a mask that hides everything', { mask: async ({ texts }) => texts.map(() => '*') }, ['masks a result: a value']],
  [
    'a mask that restores the secret',
    {
      mask: async ({ texts }) =>
        texts.map((text) => (text.includes('[masked]') ? text.replaceAll('[masked]', 's3cret') : text.replaceAll('s3cret', '[masked]'))),
    },
    ['masks masked text again without a change: a value'],
  ],
  ['a call that continues after its abort', { afterModelCall: never }, ['ends when it is aborted: afterModelCall']],
]

describe('describeAgentRunHook', () => {
  it('passes a hook that keeps the contract', async () => {
    expect(await failing({})).to.deep.equal([])
  })
  it('passes a hook with a single member', async () => {
    const { specVersion, id, title } = plainHook
    const runner = createCollectingRunner()
    describeAgentRunHook({ name: 'one', runner, create: () => ({ specVersion, id, title, runEnded: async () => undefined }) })
    expect((await runner.run()).filter(({ error }) => error !== undefined)).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      const found = await failing(change)
      // A hook that never answers also fails the tests that wait for an answer.
      const due = change.afterModelCall === never ? found.filter((title) => title.startsWith('ends')) : found
      expect(due).to.include.members([...titles])
    })
  }
  it('catches a hook that does nothing, and a mask without an example', async () => {
    const nothing = {
      beforeModelCall: undefined,
      afterModelCall: undefined,
      beforeToolCall: undefined,
      afterToolCall: undefined,
      mask: undefined,
      maskAnswer: undefined,
      runEnded: undefined,
    }
    expect(await failing(nothing as never)).to.include(soundTitle)
    expect(await failing({}, false)).to.deep.equal(['has an example of what it masks'])
  })
})
