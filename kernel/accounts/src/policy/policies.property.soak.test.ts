import type { EngineQuestion, PolicyEngine, PolicySources } from '@agent-service/sdk/contracts/policy-engine'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { expect } from 'chai'
import fc from 'fast-check'
import { interceptEngine } from './testing/intercept-engine.js'
import { ada, openPoliciesUnderTest } from './testing/policies-under-test.js'

/**
 * The next step: a policy is switched, a role changes, or a question is asked, after this many
 * turns while the rest goes on.
 */
type Step =
  | { readonly kind: 'policy'; readonly on: boolean }
  | { readonly kind: 'role'; readonly admin: boolean }
  | { readonly kind: 'ask'; readonly after: number }

const steps = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('policy' as const), on: fc.boolean() }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('role' as const), admin: fc.boolean() }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('ask' as const), after: fc.nat({ max: 20 }) }), weight: 6 },
  ),
  { minLength: 4, maxLength: 30 },
)
const call: PolicyRequest = {
  principal: { type: 'User', id: 'eve' },
  action: 'use_tool',
  resource: { type: 'Tool', id: 't', attributes: { name: 't' } },
}

/** Allows only admins, while the text is “on”, and completes each job when the schedule permits. */
function scriptedEngine(wait: () => Promise<void>): PolicyEngine {
  let loaded: { readonly version: number; readonly sources: PolicySources } | undefined
  const isOn = ({ stored }: PolicySources): boolean => stored.some(({ text }) => text === 'on')
  const decide = (sources: PolicySources, { entities }: EngineQuestion) => ({
    allowed: isOn(sources) && entities[0]?.attributes['role'] === 'admin',
    ...{ policyIds: [], errors: [] },
  })
  const allowed = { allowed: true, policyIds: [], errors: [] }
  const usable = { outcome: 'loaded', shipped: [], dependsOnUserIds: false } as const
  const engine: PolicyEngine = {
    ...{ specVersion: 1, id: 'scripted', title: 'Scripted', fileEndings: ['.scripted'] },
    prepare: () => Promise.resolve(),
    async load(given) {
      loaded = given
      return usable
    },
    async decide({ version, questions }) {
      const { sources } = loaded ?? {}
      if (!sources || loaded?.version !== version) return { outcome: 'not_loaded' }
      return { outcome: 'decided', decisions: questions.map((question) => decide(sources, question)) }
    },
    rehearse: async ({ questions }) => ({ ...usable, decisions: questions.map(() => allowed) }),
    check: async () => ({ outcome: 'sound', effect: 'permit', warnings: [] }),
  }
  // One after the other, as in the process.
  let turn: Promise<unknown> = Promise.resolve()
  return interceptEngine(engine, (_, work) => {
    const done = turn.then(wait).then(work)
    turn = done
    return done
  })
}

/**
 * One state of policy and role: since when it may have been in force, and since when it must be.
 */
interface State {
  readonly allowed: boolean
  readonly begun: number
  readonly acknowledged: number
}

async function playSteps(script: readonly Step[], scheduler: fc.Scheduler): Promise<void> {
  let waiting = (): Promise<void> => Promise.resolve()
  const policies = await openPoliciesUnderTest({ engine: scriptedEngine(() => waiting()) })
  try {
    const { id } = await policies.administration.create({ text: 'off', description: '', enabled: true }, ada)
    let moment = 0
    const now = (): number => ++moment
    const current = { on: false, admin: true }
    policies.roles.set('eve', 'admin')
    const states: State[] = [{ allowed: false, begun: now(), acknowledged: now() }]
    const answers: { readonly allowed: boolean; readonly from: number; readonly to: number }[] = []
    const asked: Promise<void>[] = []
    const ask = async (): Promise<void> => {
      const from = now()
      const { allowed } = await policies.service.isAuthorized(call)
      answers.push({ allowed, from, to: now() })
    }
    const askLater = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await waiting()
      await ask()
    }
    const change = async (apply: () => Promise<unknown>): Promise<void> => {
      const begun = now()
      await apply()
      states.push({ allowed: current.on && current.admin, begun, acknowledged: now() })
    }
    waiting = () => scheduler.schedule(Promise.resolve())
    policies.pause = waiting
    const play = async (): Promise<void> => {
      for (const step of script) {
        if (step.kind === 'ask') {
          asked.push(askLater(step.after))
        } else if (step.kind === 'policy') {
          current.on = step.on
          await change(() => policies.administration.change(id, { text: step.on ? 'on' : 'off', description: '', enabled: true }, ada))
        } else {
          current.admin = step.admin
          await change(async () => {
            policies.roles.set('eve', step.admin ? 'admin' : 'user')
            await waiting()
            policies.rolesChanged()
          })
        }
      }
      await Promise.all(asked)
      asked.length = 0
      await ask()
    }
    await scheduler.waitFor(play())
    for (const { allowed, from, to } of answers) {
      const possible = states.filter(
        (state, index) => state.begun < to && (states[index + 1]?.acknowledged ?? Number.POSITIVE_INFINITY) > from,
      )
      expect(possible.map((state) => state.allowed)).to.include(allowed)
    }
  } finally {
    policies.pause = () => Promise.resolve()
    waiting = () => Promise.resolve()
    await policies.end()
  }
}

describe('decisions while policies and roles change', () => {
  it('never follow the state before an acknowledged change, in any interleaving', async function () {
    this.timeout(120_000)
    await fc.assert(fc.asyncProperty(steps, fc.scheduler(), playSteps), { numRuns: 300, seed: 20_261_121 })
  })
})
