import { strict as assert } from 'node:assert'
import { checkRunHook, runHookMembers } from '../../contracts/agent-run-hook/check-run-hook.js'
import type { AgentRunHook } from '../../contracts/agent-run-hook/run-hook.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, type NotApplicable, type UncheckedRules } from '../unchecked-rules.js'
import { assertAnswer, callMember, subjects, variants, vetoing } from './hook-calls.js'
import type { MaskExample } from './mask-example.js'
import { describeMask } from './masks.js'
import { describePieces, describePlainTexts } from './pieces.js'
import { describeNoVetoes, describeVetoes, type VetoExample } from './vetoes.js'

/** The options of {@link describeAgentRunHook}. */
export interface RunHookSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the hook. Called for each test. */
  create(): AgentRunHook | Promise<AgentRunHook>
  /**
   * Examples of calls that are vetoed, and of others that are not. Not applicable to a hook that never
   * vetoes and only looks. Default: not checked.
   */
  readonly vetoes?: readonly VetoExample[] | NotApplicable
  /** Whether verdicts depend on calls in earlier runs, as those of a budget for a day do. Default false. */
  readonly counts?: boolean
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
  const { create, vetoes, masks = [], counts = false, runner = globalSuiteRunner() } = options
  runner.describe(`run hook ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `run hook ${options.name}`)
    describeDeclaration(options, { runner, unchecked })
    describeEvery(options, runner)
    if (vetoes === 'not applicable') describeNoVetoes(create, runner)
    else describeVetoes({ create, examples: vetoes ?? [], counts }, runner)
    describePlainTexts(create, runner)
    for (const example of masks) {
      describeMask(create, example, runner)
      describePieces(create, example, runner)
    }
  })
}

function describeDeclaration(
  { create, vetoes, masks = [] }: RunHookSuiteOptions,
  { runner, unchecked }: { readonly runner: SuiteRunner; readonly unchecked: UncheckedRules },
): void {
  runner.it(soundTitle, async () => assertSound(checkRunHook(await create())))
  runner.it('has an example of what it masks', async () => {
    const hook = await create()
    if (vetoes !== 'not applicable' && vetoing.some((member) => hook[member])) noteVetoes(vetoes, unchecked)
    assert.ok(hook.mask === undefined || masks.length > 0, 'it has mask, and masks is empty')
  })
}

function noteVetoes(vetoes: readonly VetoExample[] | undefined, unchecked: UncheckedRules): void {
  if (vetoes === undefined) {
    unchecked.without('vetoes', 'what is to be vetoed is, and nothing else')
    return
  }
  if (!vetoes.some(({ vetoed }) => vetoed === true)) unchecked.without('vetoes with vetoed: true', 'what is to be vetoed is')
  if (vetoes.every(({ vetoed }) => vetoed === true)) unchecked.without('vetoes without vetoed', 'what is not to be vetoed passes')
}

/** Rules for every member of a hook. */
function describeEvery({ create, abortLimitMs = 2_000 }: RunHookSuiteOptions, runner: SuiteRunner): void {
  for (const member of runHookMembers) {
    const subject = subjects[member]
    runner.it(`answers as the contract states: ${member}`, async () => {
      const hook = await create()
      if (hook[member] !== undefined) assertAnswer(member, await callMember(hook, member, structuredClone(subject)), subject)
    })
    runner.it(`answers whatever it is asked about: ${member}`, async () => {
      const hook = await create()
      if (hook[member] === undefined) return
      for (const change of variants[member]) {
        const given = { ...subject, ...change }
        const answer = await callMember(hook, member, structuredClone(given)).catch((error: unknown) => {
          throw new Error(`It failed for ${JSON.stringify(change)}; a run has that, too.`, { cause: error })
        })
        assertAnswer(member, answer, given)
      }
    })
    runner.it(`does not change its input: ${member}`, async () => {
      const hook = await create()
      if (hook[member] === undefined) return
      const given = structuredClone(subject)
      await callMember(hook, member, given)
      assert.deepEqual(given, subject)
    })
    runner.it(`ends when it is aborted, and answers the next call: ${member}`, async () => {
      for (const moment of momentsOfAbort) {
        const hook = await create()
        if (hook[member] === undefined) return
        const work = (signal: AbortSignal) => callMember(hook, member, structuredClone(subject), signal)
        await abortAt(moment, work, { limitMs: abortLimitMs, what: member })
        const next = { ...structuredClone(subject), runId: 'run-next' }
        assertAnswer(member, await callMember(hook, member, next), next)
      }
    })
  }
}
