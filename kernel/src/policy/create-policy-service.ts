import type { Logger } from '@agent-service/sdk'
import type { PolicyRequest, PolicyService } from '@agent-service/sdk/services/policy'
import type { EngineDecision } from './engine/engine-jobs.js'
import type { PolicyDecisions } from './policy-decisions.js'
import { type KnownEntities, readQuestion } from './read-question.js'

/** The policies as the kernel and plugins ask them. */
export function createPolicyService(dependencies: {
  readonly decisions: PolicyDecisions
  readonly known: KnownEntities
  readonly log: Logger
}): PolicyService {
  const { decisions, known, log } = dependencies

  const decide = async (questions: readonly PolicyRequest[], signal: AbortSignal | undefined): Promise<readonly boolean[]> => {
    signal?.throwIfAborted()
    try {
      const asked = decisions.decide(() => Promise.all(questions.map((question) => readQuestion(question, known))))
      const decided = await untilAborted(asked, signal)
      decided.forEach((decision, index) => {
        report(decision, questions[index])
      })
      return decided.map(({ allowed }) => allowed)
    } catch (error) {
      signal?.throwIfAborted()
      log.warn('Nothing could be decided, which counts as a denial.', { error, action: questions[0]?.action })
      return questions.map(() => false)
    }
  }

  const report = ({ allowed, policyIds, errors }: EngineDecision, question: PolicyRequest | undefined): void => {
    if (allowed) return
    const { action, principal, resource } = question ?? {}
    const who = `${principal?.type}::${principal?.id}`
    log.debug('A policy decision was a denial.', {
      action,
      principal: who,
      resource: `${resource?.type}::${resource?.id}`,
      policies: policyIds,
      errors,
    })
  }

  return Object.freeze<PolicyService>({
    async isAuthorized(request, { signal } = {}) {
      const [allowed = false] = await decide([request], signal)
      return { allowed }
    },
    allowedOf: (question, resources, { signal } = {}) =>
      resources.length === 0
        ? Promise.resolve([])
        : decide(
            resources.map((resource) => ({ ...question, resource })),
            signal,
          ),
  })
}

/** The result, or the signal's reason where that comes first; the work itself goes on, for others may wait for it too. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
