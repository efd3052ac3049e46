import type { Logger } from '@agent-service/sdk'
import type { EngineDecision, EngineQuestion } from '@agent-service/sdk/contracts/policy-engine'
import { LRUCache } from 'lru-cache'
import { decisionKey } from './decision-key.js'
import type { EngineAccess } from './engine-access.js'
import { policiesUnavailableError } from './errors.js'
import type { PolicySource } from './policy-source.js'
import type { ReadQuestion } from './read-questions.js'

const maxDecisions = 10_000
const maxBytes = 8 * 1024 * 1024
/**
 * Decisions that are requested together go to the engine in parts, so that others get their turn.
 */
const partSize = 50
/** How often a decision restarts because something changed meanwhile. */
const maxAttempts = 10

/**
 * Decides and remembers decisions. They are forgotten as soon as anything changes that they may
 * depend on.
 */
export interface PolicyDecisions {
  /** The remembered decision of a question. */
  remembered(request: EngineQuestion): EngineDecision | undefined
  /**
   * Decides questions. Calls `read` again if policies or roles changed meanwhile, so that every
   * answer is valid when it is returned.
   * @throws `policies_unavailable`, `policy_engine_failed`.
   */
  decide(read: () => Promise<readonly ReadQuestion[]>): Promise<readonly EngineDecision[]>
  /** Prepares the engine in the background for expected questions. */
  expectQuestions(): void
  /** Forgets everything. Must be called when a change takes effect, before it is acknowledged. */
  changed(): void
  /** How many decisions are remembered. */
  size(): number
}

/** Makes it. */
export function createPolicyDecisions(dependencies: {
  readonly engine: EngineAccess
  readonly source: PolicySource
  readonly log: Logger
}): PolicyDecisions {
  const { engine, source, log } = dependencies
  const decided = new LRUCache<string, EngineDecision>({
    max: maxDecisions,
    maxSize: maxBytes,
    sizeCalculation: (decision, key) => key.length * 2 + 200 + JSON.stringify(decision).length,
  })
  /**
   * Decisions under way, by key. Replaced after each change, so that later questions join no
   * earlier decision.
   */
  let underWay = new Map<string, Promise<EngineDecision>>()
  let changes = 0
  let expecting = false

  const askEngine = async (questions: readonly EngineQuestion[], version: number): Promise<readonly EngineDecision[]> => {
    const ask = () => engine.ask((asked, call) => asked.decide({ version, questions }, call))
    const answer = await ask()
    if (answer.outcome === 'decided') return answer.decisions.map(withoutDoubt)
    await source.load({ again: true })
    const second = await ask()
    if (second.outcome === 'decided') return second.decisions.map(withoutDoubt)
    throw policiesUnavailableError.create({ reason: 'the engine lost the policies during the question' }, { retryAfterSeconds: 1 })
  }

  /** Asks for a part and remembers its answers, unless something changed since `began`. */
  const decidePart = (part: ReadonlyMap<string, EngineQuestion>, began: number): void => {
    const here = underWay
    const answers = askEngine([...part.values()], source.version()).then((decisions) => {
      ;[...part].forEach(([key, { action, resource }], index) => {
        const decision = decisions[index]
        if (decision && began === changes) decided.set(key, decision)
        if (decision && decision.errors.length > 0)
          log.warn('A decision had an error and counts as a denial.', { action, resource: resource.id, errors: decision.errors })
      })
      return decisions
    })
    const forget = (): void => {
      for (const key of part.keys()) here.delete(key)
    }
    answers.then(forget, forget)
    ;[...part.keys()].forEach((key, index) => {
      const one = answers.then((decisions) => decisions[index] ?? missingDecision())
      // The caller may have stopped waiting.
      one.catch(() => undefined)
      here.set(key, one)
    })
  }

  const decideNow = async (questions: readonly ReadQuestion[], began: number): Promise<readonly EngineDecision[]> => {
    const { dependsOnUserIds } = source.known() ?? (await source.load())
    if (began !== changes) return []
    const missing = new Map<string, EngineQuestion>()
    const keys = questions.map((question) => {
      if ('reason' in question) return undefined
      const key = decisionKey(question.request, dependsOnUserIds)
      if (!decided.has(key) && !underWay.has(key)) missing.set(key, question.request)
      return key
    })
    const found = keys.map((key) => (key === undefined ? undefined : decided.get(key)))
    const wanted = [...missing]
    for (let start = 0; start < wanted.length; start += partSize) decidePart(new Map(wanted.slice(start, start + partSize)), began)
    return Promise.all(
      questions.map((question, index) => {
        if ('reason' in question) return { allowed: false, policyIds: [], errors: [{ policyId: null, message: question.reason }] }
        return found[index] ?? underWay.get(keys[index] ?? '') ?? missingDecision()
      }),
    )
  }

  return {
    remembered(request) {
      const known = source.known()
      return known && decided.get(decisionKey(request, known.dependsOnUserIds))
    },
    async decide(read) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const began = changes
        const questions = await read()
        if (began !== changes) continue
        try {
          const decisions = await decideNow(questions, began)
          if (began === changes) return decisions
        } catch (error) {
          if (began === changes) throw error
        }
      }
      throw policiesUnavailableError.create({ reason: 'they change faster than questions can be decided' }, { retryAfterSeconds: 1 })
    },
    expectQuestions() {
      if (expecting) return
      expecting = true
      // The policies are read while the engine starts.
      engine.ask((asked) => asked.prepare()).catch(() => undefined)
      source
        .load()
        .then(() => askEngine([], source.version()))
        .catch((error: unknown) => log.debug('The policy engine could not be prepared in advance.', { error }))
        .finally(() => {
          expecting = false
        })
    },
    changed() {
      changes++
      underWay = new Map()
      decided.clear()
    },
    size: () => decided.size,
  }
}

/** A decision with an error is a denial, whatever the engine answers. */
const withoutDoubt = ({ allowed, policyIds, errors }: EngineDecision): EngineDecision => ({
  allowed: allowed === true && errors.length === 0,
  policyIds,
  errors,
})

function missingDecision(): never {
  throw policiesUnavailableError.create({ reason: 'the engine did not answer' }, { retryAfterSeconds: 1 })
}
