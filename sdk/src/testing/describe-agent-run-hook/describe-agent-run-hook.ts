import { strict as assert } from 'node:assert'
import { checkRunHook, runHookMembers } from '../../contracts/agent-run-hook/check-run-hook.js'
import type {
  AgentRunHook,
  HookedModelAnswer,
  HookedModelCall,
  HookedRunEnd,
  HookedToolCall,
  HookedToolResult,
  MaskedAnswer,
  MaskedTexts,
  RunHookVeto,
} from '../../contracts/agent-run-hook/run-hook.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, type UncheckedRules } from '../unchecked-rules.js'
import { assertPlainData, endsWithin, isOneLine } from '../within-limit.js'

/** The input of the hook; the suite fills in absent members. */
export type VetoExample = {
  /** Part of the test's title. */ readonly title: string /** The hook vetoes it. Default false. */
  readonly vetoed?: boolean
} & (
  | { readonly beforeModelCall: Partial<HookedModelCall> }
  | { readonly afterModelCall: Partial<HookedModelAnswer> }
  | { readonly beforeToolCall: Partial<HookedToolCall> }
  | { readonly afterToolCall: Partial<HookedToolResult> }
)

/** Texts for the hook, as one result and as pieces of progress. */
export interface MaskExample {
  /** Part of the test's title. */
  readonly title: string
  /** The tool's output. */
  readonly texts: readonly string[]
  /** Texts that no masked text may contain. */
  readonly hidden: readonly string[]
  /** Texts that must remain in some text. Default: none. */
  readonly kept?: readonly string[]
}

/** The options of {@link describeAgentRunHook}. */
export interface RunHookSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the hook. Called for each test. */
  create(): AgentRunHook | Promise<AgentRunHook>
  /** Examples of calls that are vetoed, and of others that are not. */
  readonly vetoes?: readonly VetoExample[]
  /** Examples of masked texts. At least one for a hook that masks. */
  readonly masks?: readonly MaskExample[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/**
 * Tests every rule of the `agent.run-hook` contract.
 *
 * @example
 * describeAgentRunHook({
 *   name: 'card-guard',
 *   create: createHook,
 *   masks: [{ title: 'a card', texts: ['4111111111111111'], hidden: ['4111111111111111'] }],
 * })
 */
export function describeAgentRunHook(options: RunHookSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`run hook ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `run hook ${options.name}`)
    describeDeclaration(options, { runner, unchecked })
    describeEvery(options, runner)
    for (const example of options.vetoes ?? []) describeVeto(options, example, runner)
    for (const example of options.masks ?? []) describeMask(options, example, runner)
  })
}

const vetoing = ['beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall'] as const

function describeDeclaration(
  { create, vetoes, masks = [] }: RunHookSuiteOptions,
  { runner, unchecked }: { readonly runner: SuiteRunner; readonly unchecked: UncheckedRules },
): void {
  runner.it(soundTitle, async () => assertSound(checkRunHook(await create())))
  runner.it('has an example of what it masks', async () => {
    const hook = await create()
    if (vetoes === undefined && vetoing.some((member) => hook[member]))
      unchecked.without('vetoes', 'what is to be vetoed is, and nothing else')
    assert.ok(hook.mask === undefined || masks.length > 0, 'it has mask, and masks is empty')
  })
}

/** Rules for every member of a hook. */
function describeEvery({ create, abortLimitMs = 2_000 }: RunHookSuiteOptions, runner: SuiteRunner): void {
  for (const member of runHookMembers) {
    const subject = subjects[member]
    runner.it(`answers as the contract states: ${member}`, async () => {
      const hook = await create()
      if (hook[member] === undefined) return
      const answer = await callMember(hook, member, structuredClone(subject))
      if (member === 'mask') assertTexts(answer, subjects.mask.texts.length)
      else if (member === 'maskAnswer') assertTexts(answer, subjects.maskAnswer.texts.length)
      else if (member === 'runEnded') assert.equal(answer, undefined, 'runEnded returned a value')
      else assertVerdict(answer)
    })
    runner.it(`does not change its input: ${member}`, async () => {
      const hook = await create()
      if (hook[member] === undefined) return
      const given = structuredClone(subject)
      await callMember(hook, member, given)
      assert.deepEqual(given, subject)
    })
    runner.it(`ends when it is aborted: ${member}`, async () => {
      const hook = await create()
      if (hook[member] === undefined) return
      const controller = new AbortController()
      const work = callMember(hook, member, structuredClone(subject), controller.signal)
      controller.abort(new Error('stopped'))
      await endsWithin(work, abortLimitMs, `${member} was still working`)
    })
  }
}

function describeVeto({ create }: RunHookSuiteOptions, example: VetoExample, runner: SuiteRunner): void {
  runner.it(`${example.vetoed === true ? 'vetoes' : 'lets pass'}: ${example.title}`, async () => {
    const hook = await create()
    for (const member of vetoing) {
      const changes = (example as Partial<Record<typeof member, object>>)[member]
      if (changes === undefined) continue
      const answer = await callMember(hook, member, { ...structuredClone(subjects[member]), ...changes })
      assertVerdict(answer)
      assert.equal(answer !== undefined, example.vetoed === true, answer === undefined ? 'it was not vetoed' : 'it was vetoed')
    }
  })
}

function describeMask({ create }: RunHookSuiteOptions, { title, texts, hidden, kept = [] }: MaskExample, runner: SuiteRunner): void {
  const maskWith = async (hook: AgentRunHook, changes: Partial<MaskedTexts>): Promise<readonly string[]> => {
    const given = { ...subjects.mask, ...changes }
    const answer = await callMember(hook, 'mask', given)
    assertTexts(answer, given.texts.length)
    return answer
  }
  runner.it(`masks a result: ${title}`, async () => {
    const masked = await maskWith(await create(), { texts })
    for (const secret of hidden) assert.ok(!masked.join('').includes(secret), 'a hidden text is readable')
    for (const text of kept)
      assert.ok(
        masked.some((one) => one.includes(text)),
        `“${text}” is missing`,
      )
  })
  runner.it(`masks the answer of a model, in pieces and whole, if it masks answers: ${title}`, async () => {
    const hook = await create()
    if (hook.maskAnswer === undefined) return
    const answered = async (changes: Partial<MaskedAnswer>): Promise<readonly string[]> => {
      const given = { ...subjects.maskAnswer, ...changes }
      const answer = (await callMember(hook, 'maskAnswer', given)) ?? given.texts
      assertTexts(answer, given.texts.length)
      return answer
    }
    const whole = await answered({ texts })
    for (const secret of hidden) assert.ok(!whole.join('').includes(secret), 'a hidden text is readable in the whole answer')
    for (const [part, text] of texts.entries()) {
      for (const [number, pieces] of waysToCut(text).entries()) {
        let shown = ''
        for (const piece of pieces) shown += (await answered({ kind: 'piece', part, runId: `run-cut-${number}`, texts: [piece] })).join('')
        for (const secret of hidden) assert.ok(!shown.includes(secret), `a hidden text is readable in ${pieces.length} pieces of an answer`)
      }
    }
  })
  runner.it(`masks what is hidden wherever it is, as often as it is there: ${title}`, async () => {
    const hook = await create()
    for (const [number, secret] of hidden.entries()) {
      const surroundings = [
        `${secret} ${secret} ${secret}`,
        `\n${secret}\n`,
        `{"value":"${secret}"}`,
        `(${secret})`,
        `${'x '.repeat(5_000)}${secret}`,
      ]
      for (const [index, text] of surroundings.entries()) {
        const masked = await maskWith(hook, { texts: ['Before', text, 'Behind'], callId: `call-${number}-${index}` })
        assert.ok(!masked.join('').includes(secret), `a hidden text is readable in “${text.slice(-60)}”`)
      }
    }
  })
  runner.it(`masks calls at once as if each were alone: ${title}`, async () => {
    const hook = await create()
    const both = await Promise.all([
      maskWith(hook, { texts, callId: 'call-a' }),
      maskWith(hook, { texts: ['Plain'], callId: 'call-b' }),
      maskWith(hook, { texts, callId: 'call-c' }),
    ])
    for (const secret of hidden) assert.ok(!both.flat().join('').includes(secret), 'a hidden text is readable beside another call')
    assert.equal(both[1]?.length, 1, 'texts of two calls are mixed up')
  })
  runner.it(`masks output in pieces, if it takes it cut anywhere: ${title}`, async () => {
    const hook = await create()
    if (hook.outputPieces !== 'any') return
    for (const [index, text] of texts.entries())
      for (const [number, pieces] of waysToCut(text).entries()) {
        let shown = ''
        for (const piece of pieces)
          shown += (await maskWith(hook, { kind: 'output', callId: `call-cut-${index}-${number}`, texts: [piece] })).join('')
        for (const secret of hidden) assert.ok(!shown.includes(secret), `a hidden text is readable in ${pieces.length} pieces of output`)
      }
  })
  runner.it(`gives no reason with what is hidden: ${title}`, async () => {
    const hook = await create()
    for (const secret of hidden) {
      const given = {
        beforeToolCall: { arguments: { query: secret } },
        afterToolCall: { content: [{ type: 'text', text: secret }] },
      } as const
      for (const member of ['beforeToolCall', 'afterToolCall'] as const) {
        if (hook[member] === undefined) continue
        const verdict = await callMember(hook, member, { ...structuredClone(subjects[member]), ...given[member] })
        assertVerdict(verdict)
        assert.ok(!verdict?.veto.includes(secret), `the reason of ${member} has what is to be hidden`)
      }
    }
  })
  runner.it(`masks masked text again without a change: ${title}`, async () => {
    const hook = await create()
    const once = await maskWith(hook, { texts })
    const twice = await maskWith(hook, { texts: once, callId: 'call-2' })
    for (const secret of hidden) assert.ok(!twice.join('').includes(secret), 'a hidden text is readable after the second masking')
  })
  for (const kind of ['progress', 'output', 'error', 'purpose', 'question'] as const) {
    runner.it(`masks each text of kind ${kind}: ${title}`, async () => {
      const hook = await create()
      for (const [index, text] of texts.entries()) {
        const whole = hidden.filter((secret) => text.includes(secret))
        const masked = await maskWith(hook, { texts: [text], kind, callId: `call-${kind}-${index}` })
        for (const secret of whole) assert.ok(!masked.join('').includes(secret), 'a hidden text is readable')
      }
    })
  }
}

/** A text in two pieces, cut at each of at most 40 places, and in pieces of 1 and 3 characters. */
function waysToCut(text: string): readonly (readonly string[])[] {
  const step = Math.max(1, Math.ceil(text.length / 40))
  const places = Array.from({ length: Math.floor((text.length - 1) / step) }, (_, index) => (index + 1) * step)
  const halves = places.map((place) => [text.slice(0, place), text.slice(place)])
  return [...halves, ...[1, 3].map((length) => text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [])]
}

function assertVerdict(answer: unknown): asserts answer is RunHookVeto | undefined {
  if (answer === undefined) return
  assertPlainData(answer, 'the verdict')
  const reason = (answer as Partial<RunHookVeto> | null)?.veto
  assert.ok(isOneLine(reason), `the verdict is ${JSON.stringify(answer)}; expected undefined or { veto } with a sentence`)
}

function assertTexts(answer: unknown, count: number): asserts answer is readonly string[] {
  assert.ok(Array.isArray(answer), 'mask returned no list')
  assert.ok(
    answer.every((text) => typeof text === 'string'),
    'mask returned something other than texts',
  )
  assert.equal(answer.length, count, 'mask returned another number of texts')
}

async function callMember(
  hook: AgentRunHook,
  member: (typeof runHookMembers)[number],
  subject: object,
  signal = new AbortController().signal,
): Promise<unknown> {
  const call = hook[member] as ((subject: object, options: { readonly signal: AbortSignal }) => Promise<unknown>) | undefined
  assert.ok(call !== undefined, `${member} is missing`)
  return call.call(hook, subject, { signal })
}

const place = { userId: 'user-1', agentId: 'agent-1', agentHandle: 'assistant', chatId: 'chat-1', runId: 'run-1' }
const toolCall: HookedToolCall = { ...place, callId: 'call-1', tool: 'look_up', arguments: { query: 'weather' } }
const subjects = {
  beforeModelCall: {
    ...place,
    turn: 0,
    modelGroup: 'primary',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
  } satisfies HookedModelCall,
  afterModelCall: {
    ...place,
    turn: 0,
    content: [{ type: 'text', text: 'Hello' }],
    stopReason: 'stop',
    usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    provider: 'local',
    model: 'small',
  } satisfies HookedModelAnswer,
  beforeToolCall: toolCall,
  afterToolCall: { ...toolCall, content: [{ type: 'text', text: 'Sunny' }], isError: false } satisfies HookedToolResult,
  mask: {
    ...{ userId: 'user-1', agentId: 'agent-1', chatId: 'chat-1', runId: 'run-1' },
    callId: 'call-1',
    tool: 'look_up',
    kind: 'result',
    texts: ['Sunny', ''],
  } satisfies MaskedTexts,
  maskAnswer: {
    ...{ userId: 'user-1', agentId: 'agent-1', chatId: 'chat-1', runId: 'run-1' },
    ...{ turn: 0, attempt: 0, kind: 'whole', part: 0 },
    texts: ['Sunny', ''],
  } satisfies MaskedAnswer,
  runEnded: { ...place, status: 'completed', code: null } satisfies HookedRunEnd,
}
