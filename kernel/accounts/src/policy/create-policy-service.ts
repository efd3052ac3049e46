import type { Logger } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import type { EngineDecision } from '@agent-service/sdk/contracts/policy-engine'
import type { PolicyEntity, PolicyRequest, PolicyService } from '@agent-service/sdk/services/policy'
import type { PolicyDecisions } from './policy-decisions.js'
import type { PolicySource } from './policy-source.js'
import { type KnownEntities, readQuestions } from './read-questions.js'

/** The policy service of the kernel and plugins. */
export function createPolicyService(dependencies: {
  readonly decisions: PolicyDecisions
  readonly known: KnownEntities
  readonly source: Pick<PolicySource, 'known' | 'load'>
  readonly log: Logger
}): PolicyService {
  const { decisions, known, source, log } = dependencies

  const decide = async (
    question: Omit<PolicyRequest, 'resource'>,
    resources: readonly PolicyEntity[],
    signal: AbortSignal | undefined,
  ): Promise<readonly boolean[]> => {
    signal?.throwIfAborted()
    try {
      const asked = decisions.decide(() => readQuestions(question, resources, known))
      const decided = await abortable(asked, signal)
      decided.forEach((decision, index) => {
        report(decision, question, resources[index])
      })
      return decided.map(({ allowed }) => allowed)
    } catch (error) {
      signal?.throwIfAborted()
      log.warn('A question could not be decided, which counts as a denial.', { error, action: question.action })
      return resources.map(() => false)
    }
  }

  const report = (
    { allowed, policyIds, errors }: EngineDecision,
    { action, principal }: Omit<PolicyRequest, 'resource'>,
    resource: PolicyEntity | undefined,
  ): void => {
    if (allowed) return
    log.debug('A policy decision denied an action.', {
      action,
      principal: `${principal.type}::${principal.id}`,
      resource: `${resource?.type}::${resource?.id}`,
      policies: policyIds,
      errors,
    })
  }

  return Object.freeze<PolicyService>({
    async isAuthorized({ resource, ...question }, { signal } = {}) {
      const [allowed = false] = await decide(question, [resource], signal)
      return { allowed }
    },
    allowedOf: (question, resources, { signal } = {}) =>
      resources.length === 0 ? Promise.resolve([]) : decide(question, resources, signal),
    async filePatterns() {
      try {
        return (source.known() ?? (await source.load())).filePatterns
      } catch (error) {
        log.warn('It is not known what the policies say about files.', { error })
        return undefined
      }
    },
    expectQuestions: () => decisions.expectQuestions(),
  })
}
