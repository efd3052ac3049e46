import { expect } from 'chai'
import type { EngineDecision, PolicyEngine } from '../../contracts/policy-engine/policy-engine.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describePolicyEngine } from './index.js'
import { createPlainEngine, plainExample } from './plain-engine.test.js'

/** Runs the suite against a modified engine. Returns the titles of the failed tests. */
async function failing(change: (engine: PolicyEngine) => Partial<PolicyEngine>): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describePolicyEngine({
    name: 'plain',
    runner,
    abortLimitMs: 50,
    example: plainExample,
    create() {
      const engine = createPlainEngine()
      return { ...engine, ...change(engine) }
    },
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('policy engine plain › ', ''))
}

/** Changes every decision that the engine makes. */
const deciding =
  (change: (decision: EngineDecision) => EngineDecision) =>
  (engine: PolicyEngine): Partial<PolicyEngine> => ({
    async decide(request, call) {
      const answer = await engine.decide(request, call)
      return answer.outcome === 'decided' ? { ...answer, decisions: answer.decisions.map(change) } : answer
    },
  })

const permits = 'permits what a policy permits, and returns its id'
const denies = 'denies what no policy permits'
const forbids = 'lets forbid win over every permit, whichever is older'
const inOrder = 'decides each question of a list, in order'
const unfit = 'denies an invalid question with the reason'
const depends = 'reports whether a decision depends on the user'
const lists = 'lists the policies of the files, each with id, text and description'
const versions = 'decides by the set that was loaded last, only under its version'
const refuses = 'refuses a set with an invalid policy, reports its position, and keeps the previous set'
const rehearses = 'rehearses other sets, and keeps the one in force'

const faults: readonly (readonly [string, (engine: PolicyEngine) => Partial<PolicyEngine>, readonly string[]])[] = [
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  ['files of any name', () => ({ fileEndings: [''] }), [soundTitle]],
  ['a permit of everything', deciding((decision) => ({ ...decision, allowed: true })), [denies, forbids, unfit, versions]],
  ['a denial of everything', deciding((decision) => ({ ...decision, allowed: false })), [permits, inOrder, unfit, refuses]],
  ['decisions that name no policy', deciding((decision) => ({ ...decision, policyIds: [] })), [permits, forbids]],
  [
    'forbids that are ignored',
    (engine) => ({
      load: ({ version, sources }, call) =>
        engine.load({ version, sources: { ...sources, stored: sources.stored.filter(({ text }) => !text.startsWith('forbid')) } }, call),
    }),
    [forbids],
  ],
  [
    'decisions in another order',
    (engine) => ({
      async decide(request, call) {
        const answer = await engine.decide(request, call)
        return answer.outcome === 'decided' ? { ...answer, decisions: [...answer.decisions].sort((one) => (one.allowed ? -1 : 1)) } : answer
      },
    }),
    [inOrder],
  ],
  [
    'a list that fails because of one invalid question',
    (engine) => ({
      async decide(request, call) {
        const answer = await engine.decide(request, call)
        if (answer.outcome !== 'decided' || answer.decisions.every(({ errors }) => errors.length === 0)) return answer
        return { ...answer, decisions: answer.decisions.map((decision) => ({ ...decision, allowed: false })) }
      },
    }),
    [unfit],
  ],
  [
    'decisions that are wrongly independent of the user',
    (engine) => ({
      async load(request, call) {
        const answer = await engine.load(request, call)
        return answer.outcome === 'loaded' ? { ...answer, dependsOnUserIds: false } : answer
      },
    }),
    [depends],
  ],
  [
    'files that are not listed',
    (engine) => ({
      async load(request, call) {
        const answer = await engine.load(request, call)
        return answer.outcome === 'loaded' ? { ...answer, shipped: [] } : answer
      },
    }),
    [lists],
  ],
  [
    'versions that are ignored',
    (engine) => {
      let last = 0
      return {
        load: (request, call) => {
          last = request.version
          return engine.load(request, call)
        },
        decide: (request, call) => engine.decide({ ...request, version: last }, call),
      }
    },
    [versions, refuses],
  ],
  [
    'invalid policies that are ignored',
    (engine) => ({
      load: async (request, call) => {
        const answer = await engine.load(request, call)
        return answer.outcome === 'loaded' ? answer : engine.load({ ...request, sources: { ...request.sources, stored: [] } }, call)
      },
    }),
    [refuses],
  ],
  [
    'a set that is lost when the next is refused',
    (engine) => ({
      load: async (request, call) => {
        const answer = await engine.load(request, call)
        if (answer.outcome === 'refused') await engine.load({ version: -1, sources: { files: [], stored: [] } }, call)
        return answer
      },
    }),
    [refuses],
  ],
  [
    'a rehearsal that counts',
    (engine) => ({
      rehearse: async (request, call) => {
        await engine.load({ version: 1, sources: request.sources }, call)
        return engine.rehearse(request, call)
      },
    }),
    [rehearses],
  ],
  [
    'problems without a position',
    () => ({ check: async () => ({ outcome: 'refused', problems: [{ line: 0, column: 0, message: 'no' }] }) }),
    [
      'accepts a valid policy: permit',
      'accepts a valid policy: forbid',
      'refuses an invalid policy, and reports its position',
      'refuses two policies, and reports their position',
      'refuses an empty text, and reports its position',
    ],
  ],
  [
    'a check that accepts every text',
    () => ({ check: async () => ({ outcome: 'sound', effect: 'permit', warnings: [] }) }),
    [
      'accepts a valid policy: forbid',
      'refuses an invalid policy, and reports its position',
      'refuses two policies, and reports their position',
      'refuses an empty text, and reports its position',
    ],
  ],
  [
    'an answer that is not plain data',
    (engine) => ({ check: async (request, call) => ({ ...(await engine.check(request, call)), at: new Date() }) }),
    ['answers with plain data, and does not change its input: check'],
  ],
  [
    'questions that are changed',
    (engine) => ({
      rehearse: async (request, call) => {
        const answer = await engine.rehearse(request, call)
        for (const { context } of request.questions) Object.assign(context, { seen: true })
        return answer
      },
    }),
    ['answers with plain data, and does not change its input: rehearse'],
  ],
  [
    'a second readiness that fails',
    () => {
      let ready = false
      return {
        async prepare() {
          if (ready) throw new Error('It is ready.')
          ready = true
        },
      }
    },
    ['can be made ready at any time, and again, and then works'],
  ],
  [
    'work that ignores its abort',
    (engine) => {
      let calls = 0
      return {
        check: (request, call) => (calls++ === 0 && !call.signal.aborted ? untilNever(request, call, engine) : engine.check(request, call)),
      }
    },
    ['ends when it is aborted: check'],
  ],
]

/** Never ends if it is aborted after its start. */
async function untilNever(...[request, call, engine]: [...Parameters<PolicyEngine['check']>, PolicyEngine]) {
  await new Promise((resolve) => setImmediate(resolve))
  if (call.signal.aborted) await new Promise(() => undefined)
  return engine.check(request, call)
}

describe('the suite for policy engines', () => {
  it('passes an engine that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })

  for (const [what, change, expected] of faults)
    it(`finds ${what}`, async () => {
      expect(await failing(change)).to.include.members(expected)
    })
})
