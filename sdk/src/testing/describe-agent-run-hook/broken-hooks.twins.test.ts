import { expect } from 'chai'
import type { AgentRunHook } from '../../contracts/agent-run-hook/run-hook.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeAgentRunHook, type RunHookSuiteOptions } from './index.js'

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
async function failing(
  change: Partial<AgentRunHook>,
  masks = true,
  options: Partial<RunHookSuiteOptions> = {},
): Promise<readonly string[]> {
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
    ...options,
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
  [
    'a call that continues after its abort',
    { afterModelCall: never },
    ['ends when it is aborted, and answers the next call: afterModelCall'],
  ],
]

const alone = (title: string): string => `decides by itself, whatever was asked before or beside it: ${title}`
const anything = (member: string): string => `answers whatever it is asked about: ${member}`
const again = (title: string): string => `decides the same when it is asked again after a crash: ${title}`
const apart = 'keeps the pieces of calls and answers apart: a value'
const plain = 'leaves texts as they are where there is nothing to hide'
const shows = 'shows output where there is nothing to hide, in order and not only at its end'
const mask = (text: string): string => text.replaceAll('s3cret', '[masked]')
/** Holds back the end of what comes in pieces, by a key. */
const holding = (keyOf: (given: Readonly<Record<string, unknown>>) => string) => {
  const ends = new Map<string, string>()
  return (given: object, piece: string): string => {
    const key = keyOf(given as Readonly<Record<string, unknown>>)
    const text = mask((ends.get(key) ?? '') + piece)
    ends.set(key, text.slice(-5))
    return text.slice(0, -5)
  }
}
const byCall = ({ runId, callId }: Readonly<Record<string, unknown>>): string => `${runId}/${callId}`
const byPart = ({ runId, turn, attempt, part }: Readonly<Record<string, unknown>>): string => `${runId}/${turn}/${attempt}/${part}`
const inPieces = (keyOfOutput: typeof byCall, keyOfAnswer: typeof byPart): Partial<AgentRunHook> => {
  const [output, answer] = [holding(keyOfOutput), holding(keyOfAnswer)]
  return {
    outputPieces: 'any',
    mask: async (given) => given.texts.map((text) => (given.kind === 'output' ? output(given, text) : mask(text))),
    maskAnswer: async (given) => given.texts.map((text) => (given.kind === 'piece' ? answer(given, text) : mask(text))),
  }
}

const further: readonly (readonly [string, () => Partial<AgentRunHook>, readonly string[]])[] = [
  [
    'a hook that fails for other arguments',
    () => ({ beforeToolCall: async ({ tool, arguments: { query } }) => (tool === (query as string).trim() ? { veto: 'No.' } : undefined) }),
    [anything('beforeToolCall')],
  ],
  [
    'a hook that fails for an answer without a text',
    () => ({
      async afterModelCall({ content: [part] }) {
        return (part as { readonly text: string }).text.includes('s3cret') ? { veto: 'No.' } : undefined
      },
    }),
    [anything('afterModelCall')],
  ],
  [
    'a hook that fails for a result without a text',
    () => ({
      async afterToolCall({ content }) {
        return content.some((part) => (part as { readonly text: string }).text.includes('s3cret')) ? { veto: 'No.' } : undefined
      },
    }),
    [anything('afterToolCall')],
  ],
  [
    'a hook that vetoes everything after its first veto',
    () => {
      let isClosed = false
      return {
        async beforeToolCall({ tool }) {
          isClosed ||= tool === 'erase_all'
          return isClosed ? { veto: 'Erasing is not for agents.' } : undefined
        },
      }
    },
    [alone('looking')],
  ],
  [
    'a verdict on the call that came last',
    () => {
      let asked = ''
      return {
        async beforeToolCall({ tool }) {
          asked = tool
          await Promise.resolve()
          return asked === 'erase_all' ? { veto: 'Erasing is not for agents.' } : undefined
        },
      }
    },
    [alone('erasing')],
  ],
  [
    'a hook that vetoes a call that is repeated after a crash',
    () => {
      const calls = new Set<string>()
      return {
        async beforeToolCall({ tool, callId }) {
          const isRepeated = calls.has(callId)
          calls.add(callId)
          return isRepeated || tool === 'erase_all' ? { veto: 'Not again.' } : undefined
        },
      }
    },
    [again('looking')],
  ],
  [
    'a call that waits for an abort that has been',
    () => ({
      runEnded: (_, { signal }) => (signal.aborted ? new Promise(() => undefined) : Promise.resolve()),
    }),
    ['ends when it is aborted, and answers the next call: runEnded'],
  ],
  [
    'a hook that is stuck after an aborted call',
    () => {
      let isBusy = false
      return {
        async afterToolCall(_, { signal }) {
          if (isBusy) throw new Error('The last call has not ended.')
          isBusy = true
          await Promise.resolve()
          signal.throwIfAborted()
          isBusy = false
          return undefined
        },
      }
    },
    ['ends when it is aborted, and answers the next call: afterToolCall'],
  ],
  ['a hook that trims what it masks', () => ({ mask: async ({ texts }) => texts.map((text) => mask(text.trim())) }), [plain, shows]],
  [
    'a hook that loses what is not of its alphabet',
    () => ({ maskAnswer: async ({ texts }) => texts.map((text) => mask(text.replaceAll(/[^\p{Script=Latin}\p{P}\s]/gu, ''))) }),
    [plain],
  ],
  [
    'output that is never shown',
    () => ({ mask: async ({ kind, texts }) => texts.map((text) => (kind === 'output' ? '' : mask(text))) }),
    [shows],
  ],
  [
    'ends of output that are lost',
    () => ({ mask: async ({ kind, texts }) => texts.map((text) => (kind === 'output' ? mask(text).slice(0, -5) : mask(text))) }),
    [shows],
  ],
  ['output of several calls in one buffer', () => inPieces(() => '', byPart), [apart]],
  ['parts of an answer in one buffer', () => inPieces(byCall, ({ runId, attempt, turn }) => `${runId}/${turn}/${attempt}`), [apart]],
  ['attempts of an answer in one buffer', () => inPieces(byCall, ({ runId, turn, part }) => `${runId}/${turn}/${part}`), [apart]],
  ['answers of several turns in one buffer', () => inPieces(byCall, ({ runId, attempt, part }) => `${runId}/${attempt}/${part}`), [apart]],
  [
    'a reason that repeats the messages',
    () => ({
      async beforeModelCall({ messages: [message] }) {
        const [part] = message?.content ?? []
        const text = part?.type === 'text' ? part.text : ''
        return text === 's3cret' ? { veto: `“${text}” is not for models.` } : undefined
      },
    }),
    ['gives no reason with what is hidden: a value'],
  ],
]

describe('describeAgentRunHook', () => {
  for (const [what, change, titles] of further) {
    it(`catches ${what}`, async () => {
      expect(await failing(change())).to.include.members([...titles])
    })
  }
  it('passes a hook that holds back the ends of pieces', async () => {
    expect(await failing(inPieces(byCall, byPart))).to.deep.equal([])
  })
  it('passes a hook that knows a password by the word before it, and says so', async () => {
    const hide: AgentRunHook['mask'] = async ({ texts }) => texts.map((text) => text.replaceAll(/^password: .*$/gm, 'password: *'))
    const example = { title: 'a password', texts: ['user: ada\npassword: s3cret'], hidden: ['s3cret'], kept: ['ada'] }
    const change = { mask: hide, maskAnswer: undefined } as never
    expect(await failing(change, true, { masks: [{ ...example, where: 'in texts' }] })).to.deep.equal([])
    expect(await failing(change, true, { masks: [example] })).to.deep.equal([
      'masks what is hidden wherever it is, as often as it is there: a password',
    ])
  })
  it('asks for the texts of the user and the agent of an example', async () => {
    const of: AgentRunHook['mask'] = async ({ agentId, texts }) => texts.map((text) => (agentId === 'agent-7' ? mask(text) : text))
    const answer: AgentRunHook['maskAnswer'] = async (given, options) => of(given as never, options)
    const example = { title: 'a value', texts: ['It is s3cret.\n'], hidden: ['s3cret'], place: { agentId: 'agent-7' } }
    const found = await failing({ mask: of, maskAnswer: answer }, true, { masks: [example] })
    expect(found).to.deep.equal(['masks the answer of a model, in pieces and whole, if it masks answers: a value', apart])
    expect(await failing({ mask: of, maskAnswer: undefined as never }, true, { masks: [example] })).to.deep.equal([])
  })
  it('passes a hook that counts calls over several runs, and says so', async () => {
    const create = (): AgentRunHook => {
      const calls = new Set<string>()
      return {
        ...plainHook,
        async beforeToolCall({ tool, callId }) {
          if (tool === 'pay') calls.add(callId)
          return calls.size > 1 ? { veto: 'One payment a day.' } : undefined
        },
      }
    }
    const vetoes = [{ title: 'the first payment', beforeToolCall: { tool: 'pay' } }]
    expect(await failing({}, true, { create, vetoes, counts: true })).to.deep.equal([])
    expect(await failing({}, true, { create, vetoes })).to.deep.equal([alone('the first payment')])
  })
  it('says what it did not check of vetoes, and holds a hook to “not applicable”', async () => {
    const notes = async (vetoes: RunHookSuiteOptions['vetoes']): Promise<readonly string[]> => {
      const runner = createCollectingRunner()
      describeAgentRunHook({ name: 'plain', runner, create: () => plainHook, ...(vetoes && { vetoes }) })
      await runner.run()
      return runner.notes.map((note) => /“(.*?)”/.exec(note)?.[1] ?? note)
    }
    expect(await notes(undefined)).to.deep.equal(['vetoes'])
    expect(await notes([{ title: 'looking', beforeToolCall: {} }])).to.deep.equal(['vetoes with vetoed: true'])
    expect(await notes([{ title: 'erasing', vetoed: true, beforeToolCall: {} }])).to.deep.equal(['vetoes without vetoed'])
    expect(await notes('not applicable')).to.deep.equal([])
    const change = { afterToolCall: async () => ({ veto: 'No.' }) }
    expect(await failing(change, true, { vetoes: 'not applicable' })).to.deep.equal([
      'vetoes nothing, since vetoes are not applicable to it',
    ])
  })
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
