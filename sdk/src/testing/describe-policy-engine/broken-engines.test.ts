import { expect } from 'chai'
import type { EngineDecision, PolicyEngine } from '../../contracts/policy-engine/policy-engine.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describePolicyEngine } from './index.js'
import { createPlainEngine, plainExample } from './plain-engine.test.js'

/** Runs the suite against the plain engine with something changed. Returns the titles of what failed. */
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

const permits = 'permits what a policy permits, and names it'
const denies = 'denies what no policy permits'
const forbids = 'lets forbid win over every permit, whichever is older'
const inOrder = 'decides each question of a list, in order'
const unfit = 'denies a question that does not fit, and says why'
const depends = 'says when a decision depends on who asks'
const lists = 'lists the policies of the files, each with what people need of it'
const versions = 'decides by the set that was loaded last, under its version alone'
const refuses = 'refuses a set with a bad policy, says where, and keeps the one before'
const rehearses = 'rehearses other sets, and leaves the one in force'

const faults: readonly (readonly [string, (engine: PolicyEngine) => Partial<PolicyEngine>, readonly string[]])[] = [
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  ['files of any name', () => ({ fileEndings: [''] }), [soundTitle]],
  ['a permit of everything', deciding((decision) => ({ ...decision, allowed: true })), [denies, forbids, unfit, versions]],
  ['a denial of everything', deciding((decision) => ({ ...decision, allowed: false })), [permits, inOrder, unfit, refuses]],
  ['decisions that name no policy', deciding((decision) => ({ ...decision, policyIds: [] })), [permits, forbids]],
  [
    'forbids that are passed over',
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
    'a list that one bad question spoils',
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
    'users that are said not to matter',
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
    'versions that are passed over',
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
    'bad policies that are passed over',
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
    'problems without a place',
    () => ({ check: async () => ({ outcome: 'refused', problems: [{ line: 0, column: 0, message: 'no' }] }) }),
    [
      'takes a sound policy: permit',
      'takes a sound policy: forbid',
      'refuses what is no policy, and says where',
      'refuses two policies, and says where',
      'refuses an empty text, and says where',
    ],
  ],
  [
    'every text taken',
    () => ({ check: async () => ({ outcome: 'sound', effect: 'permit', warnings: [] }) }),
    [
      'takes a sound policy: forbid',
      'refuses what is no policy, and says where',
      'refuses two policies, and says where',
      'refuses an empty text, and says where',
    ],
  ],
  [
    'an answer that is no plain data',
    (engine) => ({ check: async (request, call) => ({ ...(await engine.check(request, call)), at: new Date() }) }),
    ['answers with plain data, and leaves what it is given as it was: check'],
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
    ['answers with plain data, and leaves what it is given as it was: rehearse'],
  ],
  [
    'no readiness twice',
    () => {
      let ready = false
      return {
        async prepare() {
          if (ready) throw new Error('It is ready.')
          ready = true
        },
      }
    },
    ['can be made ready at any time, also again, and then works'],
  ],
  [
    'work that no abort ends',
    (engine) => {
      let calls = 0
      return {
        check: (request, call) => (calls++ === 0 && !call.signal.aborted ? untilNever(request, call, engine) : engine.check(request, call)),
      }
    },
    ['ends when it is aborted: check'],
  ],
]

/** Works on for good where it is aborted after it began. */
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
