import { strict as assert } from 'node:assert'
import type {
  AgentRunHook,
  HookedModelAnswer,
  HookedModelCall,
  HookedToolCall,
  HookedToolResult,
} from '../../contracts/agent-run-hook/run-hook.js'
import type { SuiteRunner } from '../suite-runner.js'
import { assertVerdict, callMember, subjects, variants, vetoing } from './hook-calls.js'
import type { CreateHook } from './mask-example.js'

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

/** Rules for examples of what is vetoed and what is not. */
export function describeVetoes(
  { create, examples, counts }: { readonly create: CreateHook; readonly examples: readonly VetoExample[]; readonly counts: boolean },
  runner: SuiteRunner,
): void {
  for (const example of examples) {
    const isVetoed = example.vetoed === true
    runner.it(`${isVetoed ? 'vetoes' : 'lets pass'}: ${example.title}`, async () => {
      assert.equal(await isVetoedBy(await create(), example), isVetoed, isVetoed ? 'it was not vetoed' : 'it was vetoed')
    })
    runner.it(`decides the same when it is asked again after a crash: ${example.title}`, async () => {
      const hook = await create()
      for (const time of ['first', 'second']) assert.equal(await isVetoedBy(hook, example), isVetoed, `the ${time} verdict`)
    })
    runner.it(`decides by itself, whatever was asked before or beside it: ${example.title}`, async () => {
      if (counts) return
      const hook = await create()
      const hint = 'if the hook counts calls over several runs, give counts: true'
      for (const [index, other] of examples.entries()) await isVetoedBy(hook, other, `before-${index}`)
      assert.equal(await isVetoedBy(hook, example, 'after'), isVetoed, `the verdict after other calls; ${hint}`)
      const all = [example, ...examples].map((one, index) => isVetoedBy(hook, one, `beside-${index}`))
      assert.equal((await Promise.all(all))[0], isVetoed, `the verdict beside other calls; ${hint}`)
    })
  }
}

/** The rule of a hook that is said to veto nothing. */
export function describeNoVetoes(create: CreateHook, runner: SuiteRunner): void {
  runner.it('vetoes nothing, since vetoes are not applicable to it', async () => {
    const hook = await create()
    for (const member of vetoing)
      for (const change of [{}, ...variants[member]])
        if (hook[member] !== undefined)
          assert.equal(await callMember(hook, member, structuredClone({ ...subjects[member], ...change })), undefined, `${member} vetoes`)
  })
}

/** Asks a hook in the run of the examples, or in one of its own. */
async function isVetoedBy(hook: AgentRunHook, example: VetoExample, run?: string): Promise<boolean> {
  const ids = run === undefined ? {} : { runId: `run-${run}`, callId: `call-${run}` }
  const verdicts: boolean[] = []
  for (const member of vetoing) {
    const changes = (example as Partial<Record<typeof member, object>>)[member]
    if (changes === undefined) continue
    const { callId: _, ...modelIds } = { callId: '', ...ids }
    const isOfTool = member === 'beforeToolCall' || member === 'afterToolCall'
    const answer = await callMember(hook, member, { ...structuredClone(subjects[member]), ...(isOfTool ? ids : modelIds), ...changes })
    assertVerdict(answer)
    verdicts.push(answer !== undefined)
  }
  return verdicts.includes(true)
}
