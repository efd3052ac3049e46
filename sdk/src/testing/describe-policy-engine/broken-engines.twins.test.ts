import { expect } from 'chai'
import type {
  EngineDecision,
  EngineQuestion,
  PolicyEngine,
  PolicySources,
  UsablePolicies,
} from '../../contracts/policy-engine/policy-engine.js'
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
const withoutPrincipal = 'denies a question without the entity of its principal, with the reason'
const withoutResource = 'denies a question without the entity of its resource, with the reason'
const sorted = 'names every policy that determined a decision, sorted: permit'
const sortedForbids = 'names every policy that determined a decision, sorted: forbid'
const idsInCase = 'keeps apart policies whose ids differ in case alone'
const atOnce = 'decides each of several calls at the same time by its own questions'
const userIds = 'tells users apart by every character of their ids'
const attributes = 'decides by the attributes of entities of each question'
const parents = 'decides by the parents of entities of each question'
const many = 'decides each of many questions, by each of many policies'
const whileLoading = 'decides under each version by its own set, also while another one is loaded'
const contexts = 'decides by the context of each question'
const fails = 'denies what a policy fails on, although another permits it, and names the policy in the error'
const changes = 'decides by a stored policy as it is now, when its text changed under its id'
const filePermits = 'permits by a policy of a file, until the file is gone'
const fileForbids = 'forbids by a policy of a file what a stored one permits, and the other way round'
const badFile = 'refuses a set with an invalid file, names the file, and keeps the previous set'
const badRehearsal = 'refuses to rehearse an invalid set, reports its position, and keeps the one in force'
const rehearsesFirst = 'rehearses before anything is loaded, and loads nothing by it'
const tellsTheSame = 'tells the same of a set that it rehearses and one that it loads'
const checksAlone = 'checks a policy without deciding by it'
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

/** Changes the request of each load and each rehearsal. */
const sources =
  (change: (sources: PolicySources) => PolicySources) =>
  (engine: PolicyEngine): Partial<PolicyEngine> => ({
    load: (request, call) => engine.load({ ...request, sources: change(request.sources) }, call),
    rehearse: (request, call) => engine.rehearse({ ...request, sources: change(request.sources) }, call),
  })

/** Changes every question before it is decided, in force or in a rehearsal. */
const asking =
  (change: (question: EngineQuestion) => EngineQuestion) =>
  (engine: PolicyEngine): Partial<PolicyEngine> => ({
    decide: (request, call) => engine.decide({ ...request, questions: request.questions.map(change) }, call),
    rehearse: (request, call) => engine.rehearse({ ...request, questions: request.questions.map(change) }, call),
  })

/** Changes every decision, in force or in a rehearsal. */
const decidingAll =
  (change: (decision: EngineDecision) => EngineDecision) =>
  (engine: PolicyEngine): Partial<PolicyEngine> => ({ ...deciding(change)(engine), ...rehearsing(change)(engine) })

const rehearsing =
  (change: (decision: EngineDecision) => EngineDecision) =>
  (engine: PolicyEngine): Partial<PolicyEngine> => ({
    async rehearse(request, call) {
      const answer = await engine.rehearse(request, call)
      return answer.outcome === 'loaded' ? { ...answer, decisions: answer.decisions.map(change) } : answer
    },
  })

const withoutParents = ({ entities, ...question }: EngineQuestion): EngineQuestion => ({
  ...question,
  entities: entities.map((entity) => ({ ...entity, parents: [] })),
})

/** The question with the entities that it lacks. */
function completed(question: EngineQuestion, missing: 'principal' | 'resource'): EngineQuestion {
  const name = question[missing]
  const isThere = question.entities.some(({ type, id }) => type === name.type && id === name.id)
  return isThere ? question : { ...question, entities: [...question.entities, { ...name, attributes: {}, parents: [] }] }
}

/** The question, with an entity of the same type in the place of the missing one. */
function borrowed(question: EngineQuestion): EngineQuestion {
  const isOfItsType = question.entities.some(({ type }) => type === question.principal.type)
  return isOfItsType ? completed(question, 'principal') : question
}

/** Answers of questions that look alike are those that were given first. */
function remembering(keyOf: (question: EngineQuestion) => unknown) {
  return (engine: PolicyEngine): Partial<PolicyEngine> => {
    const known = new Map<string, EngineDecision>()
    return {
      async decide(request, call) {
        const answer = await engine.decide(request, call)
        if (answer.outcome !== 'decided') return answer
        const decisions = answer.decisions.map((decision, index) => {
          const key = JSON.stringify([request.version, keyOf(request.questions[index] as EngineQuestion)])
          const before = known.get(key) ?? decision
          known.set(key, before)
          return before
        })
        return { ...answer, decisions }
      },
    }
  }
}

const lowered = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) => (typeof member === 'string' ? member.toLowerCase() : member)) as Value

/** Changes what each load and each rehearsal tells. */
const telling =
  (change: (told: UsablePolicies, given: PolicySources) => UsablePolicies) =>
  (engine: PolicyEngine): Partial<PolicyEngine> => ({
    async load(request, call) {
      const answer = await engine.load(request, call)
      return answer.outcome === 'loaded' ? change(answer, request.sources) : answer
    },
    async rehearse(request, call) {
      const answer = await engine.rehearse(request, call)
      return answer.outcome === 'loaded' ? { ...answer, ...change(answer, request.sources) } : answer
    },
  })

/** Changes the id of each user, in the question and in its entities. */
const asUser = (change: (id: string) => string) =>
  asking(({ principal, entities, ...question }) => ({
    ...question,
    principal: { ...principal, id: change(principal.id) },
    entities: entities.map((entity) => (entity.type === 'User' ? { ...entity, id: change(entity.id) } : entity)),
  }))

/** Counts a version as loaded before its set is. */
function announcing(engine: PolicyEngine): Partial<PolicyEngine> {
  let [announced, inForce] = [Number.NaN, Number.NaN]
  return {
    async load(request, call) {
      const before = announced
      announced = request.version
      await new Promise((resolve) => setImmediate(resolve))
      const answer = await engine.load(request, call)
      if (answer.outcome === 'loaded') inForce = request.version
      else announced = before
      return answer
    },
    decide: (request, call) => engine.decide({ ...request, version: request.version === announced ? inForce : Number.NaN }, call),
  }
}

const holes: readonly (readonly [string, (engine: PolicyEngine) => Partial<PolicyEngine>, readonly string[]])[] = [
  [
    'policy files that are ignored',
    (engine) => ({
      async load(request, call) {
        const answer = await engine.load(request, call)
        if (answer.outcome === 'loaded') await engine.load({ ...request, sources: { ...request.sources, files: [] } }, call)
        return answer
      },
    }),
    [filePermits, fileForbids],
  ],
  [
    'files that are read once',
    (engine) => {
      let files: PolicySources['files'] | undefined
      return sources((given) => {
        files ??= given.files
        return { ...given, files }
      })(engine)
    },
    [filePermits, fileForbids],
  ],
  [
    'forbids of files that are ignored',
    sources((given) => ({
      ...given,
      files: given.files.map((file) => (file.text.startsWith('forbid') ? { ...file, text: 'forbid read' } : file)),
    })),
    [fileForbids],
  ],
  [
    'problems of files under the id of a policy',
    (engine) => ({
      async load(request, call) {
        const answer = await engine.load(request, call)
        if (answer.outcome === 'loaded') return answer
        return { ...answer, problems: answer.problems.map((problem) => ({ ...problem, where: problem.where.replace('.plain', '') })) }
      },
    }),
    [badFile],
  ],
  ['a rehearsal that allows everything', rehearsing((decision) => ({ ...decision, allowed: true })), [denies, forbids, rehearses]],
  [
    'a rehearsal that allows as soon as one policy permits',
    (engine) => ({
      async rehearse(request, call) {
        const stored = request.sources.stored.filter(({ text }) => !text.startsWith('forbid'))
        return engine.rehearse({ ...request, sources: { ...request.sources, stored } }, call)
      },
    }),
    [forbids, rehearses],
  ],
  [
    'a rehearsal without the files of the set',
    (engine) => ({
      async rehearse(request, call) {
        const told = await engine.rehearse(request, call)
        const answer = await engine.rehearse({ ...request, sources: { ...request.sources, files: [] } }, call)
        return told.outcome === 'loaded' && answer.outcome === 'loaded' ? { ...told, decisions: answer.decisions } : told
      },
    }),
    [rehearses],
  ],
  [
    'a rehearsal by the set in force',
    (engine) => {
      let inForce: PolicySources | undefined
      return {
        async load(request, call) {
          const answer = await engine.load(request, call)
          if (answer.outcome === 'loaded') inForce = request.sources
          return answer
        },
        rehearse: (request, call) => engine.rehearse({ ...request, sources: inForce ?? request.sources }, call),
      }
    },
    [rehearses, badRehearsal],
  ],
  [
    'a rehearsal that loads',
    (engine) => ({
      async rehearse(request, call) {
        await engine.load({ version: 1, sources: request.sources }, call)
        return engine.rehearse(request, call)
      },
    }),
    [rehearsesFirst],
  ],
  [
    'a rehearsal that tells another dependence',
    (engine) => ({
      async rehearse(request, call) {
        const answer = await engine.rehearse(request, call)
        return answer.outcome === 'loaded' ? { ...answer, dependsOnUserIds: false } : answer
      },
    }),
    [tellsTheSame],
  ],
  ['a principal that needs no entity', asking((question) => completed(question, 'principal')), [withoutPrincipal]],
  ['a resource that needs no entity', asking((question) => completed(question, 'resource')), [withoutResource]],
  ['a principal for whom any entity of its type does', asking(borrowed), [withoutPrincipal]],
  ['questions in lower case', asking((question) => ({ ...question, action: question.action.toLowerCase() })), [unfit]],
  [
    'user ids in lower case',
    asking(({ principal, entities, ...question }) => ({
      ...question,
      principal: { ...principal, id: principal.id.toLowerCase() },
      entities: entities.map((entity) => (entity.type === 'User' ? { ...entity, id: entity.id.toLowerCase() } : entity)),
    })),
    [userIds],
  ],
  [
    'user ids that are trimmed',
    asking((question) => JSON.parse(JSON.stringify(question).replaceAll('" ', '"')) as EngineQuestion),
    [userIds],
  ],
  [
    'user ids of which the first three letters count',
    asking((question) => ({
      ...question,
      principal: { ...question.principal, id: question.principal.id.slice(0, 3) },
      entities: question.entities.map((entity) => (entity.type === 'User' ? { ...entity, id: entity.id.slice(0, 3) } : entity)),
    })),
    [userIds],
  ],
  [
    'decisions that name one policy',
    decidingAll((decision) => ({ ...decision, policyIds: decision.policyIds.slice(0, 1) })),
    [sorted, sortedForbids],
  ],
  [
    'policies in the order of their age',
    decidingAll((decision) => ({ ...decision, policyIds: [...decision.policyIds].reverse() })),
    [sorted, sortedForbids],
  ],
  [
    'ids of policies in lower case',
    decidingAll((decision) => ({ ...decision, policyIds: [...new Set(lowered(decision.policyIds))] })),
    [idsInCase],
  ],
  [
    'stored policies that are parsed once for each id',
    (engine) => {
      const texts = new Map<string, string>()
      return sources((given) => ({
        ...given,
        stored: given.stored.map(({ id, text }) => {
          if (!texts.has(id)) texts.set(id, text)
          return { id, text: texts.get(id) ?? text }
        }),
      }))(engine)
    },
    [changes],
  ],
  ['decisions that are remembered without their attributes', remembering(({ entities: _, ...question }) => question), [attributes]],
  ['decisions that are remembered without their context', remembering(({ context: _, ...question }) => question), [contexts]],
  ['a context that is ignored', asking((question) => ({ ...question, context: {} })), [contexts]],
  [
    'attributes that are ignored',
    asking((question) => ({ ...question, entities: question.entities.map((entity) => ({ ...entity, attributes: {} })) })),
    [attributes],
  ],
  ['parents that are ignored', asking(withoutParents), [parents]],
  ['user ids in compatibility forms', asUser((id) => id.normalize('NFKC')), [userIds]],
  ['user ids that end with a NUL', asUser((id) => id.replace(/\0.*/, '')), [userIds]],
  ['user ids without their quotes', asUser((id) => id.replaceAll('"', '')), [userIds]],
  ['users of any id, by a star', asUser((id) => (id === '*' ? 'ada' : id)), [userIds]],
  ['the first hundred policies alone', sources((given) => ({ ...given, stored: given.stored.slice(0, 100) })), [many]],
  [
    'the first hundred questions alone',
    (engine) => ({
      async decide(request, call) {
        const answer = await engine.decide(request, call)
        if (answer.outcome !== 'decided') return answer
        return {
          ...answer,
          decisions: answer.decisions.map((decision, index) => (index < 100 ? decision : { ...decision, allowed: false })),
        }
      },
    }),
    [many],
  ],
  ['a version that counts before its set', announcing, [whileLoading]],
  [
    'forbids of a file that another file permits',
    sources((given) =>
      given.files.some(({ text }) => text === 'permit write')
        ? { ...given, files: given.files.filter(({ text }) => !text.startsWith('forbid')) }
        : given,
    ),
    [fileForbids],
  ],
  [
    'a dependence that is found out once',
    (engine) => {
      let first: boolean | undefined
      return telling((told) => {
        first ??= told.dependsOnUserIds
        return { ...told, dependsOnUserIds: first }
      })(engine)
    },
    [depends],
  ],
  [
    'a dependence of stored policies alone',
    telling((told, { stored }) => ({ ...told, dependsOnUserIds: stored.some(({ text }) => text.includes(' by ')) })),
    [depends],
  ],
  [
    'one context for a whole list',
    (engine) => {
      const shared = (questions: readonly EngineQuestion[]) =>
        questions.map((question) => ({ ...question, context: questions[0]?.context ?? {} }))
      return {
        decide: (request, call) => engine.decide({ ...request, questions: shared(request.questions) }, call),
        rehearse: (request, call) => engine.rehearse({ ...request, questions: shared(request.questions) }, call),
      }
    },
    [contexts],
  ],
  [
    'a policy that fails and is passed over',
    decidingAll((decision) =>
      decision.errors.some(({ policyId }) => policyId !== null) ? { ...decision, allowed: true, errors: [] } : decision,
    ),
    [fails],
  ],
  [
    'an error without its policy',
    decidingAll((decision) => ({ ...decision, errors: decision.errors.map((error) => ({ ...error, policyId: null })) })),
    [fails],
  ],
  [
    'answers that mix',
    (engine) => {
      let latest: readonly EngineQuestion[] = []
      return {
        async decide(request, call) {
          latest = request.questions
          await new Promise((resolve) => setImmediate(resolve))
          return engine.decide({ ...request, questions: request.questions.map((question, index) => latest[index] ?? question) }, call)
        },
      }
    },
    [atOnce],
  ],
  [
    'a check that loads',
    (engine) => ({
      async check(request, call) {
        await engine.load({ version: 1, sources: { files: request.files, stored: [{ id: 'checked', text: request.text }] } }, call)
        return engine.check(request, call)
      },
    }),
    [checksAlone],
  ],
  [
    'questions that are changed at once',
    (engine) => ({
      decide(request, call) {
        for (const { context } of request.questions) Object.assign(context, { seen: true })
        return engine.decide(request, call)
      },
    }),
    ['answers with plain data, and does not change its input: decide'],
  ],
  [
    'patterns that are texts',
    (engine) => {
      const withPatterns = <Answer extends { readonly outcome: string }>(answer: Answer): Answer =>
        answer.outcome === 'loaded' ? { ...answer, filePatterns: ['a/*.md'] } : answer
      return {
        load: async (request, call) => withPatterns(await engine.load(request, call)),
        rehearse: async (request, call) => withPatterns(await engine.rehearse(request, call)),
      }
    },
    [tellsTheSame],
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

  for (const [what, change, expected] of [...faults, ...holes])
    it(`finds ${what}`, async () => {
      expect(await failing(change)).to.include.members(expected)
    })

  it('says what it did not check', async () => {
    const runner = createCollectingRunner()
    const { byAttribute: _attribute, byParents: _parents, byContext: _context, failing: _failing, ...example } = plainExample
    describePolicyEngine({ name: 'plain', runner, example, create: createPlainEngine })
    const results = await runner.run()
    expect(results.filter(({ error }) => error !== undefined)).to.deep.equal([])
    expect(runner.notes).to.deep.equal([
      'policy engine plain: not checked, because “byAttribute” was not given: a decision depends on the attributes of entities as they are now',
      'policy engine plain: not checked, because “byParents” was not given: a decision depends on what entities belong to',
      'policy engine plain: not checked, because “byContext” was not given: a decision depends on the context',
      'policy engine plain: not checked, because “failing” was not given: a policy that fails denies, and its error names it',
    ])
  })
})
