/** What the engine answers to jobs, with the policies that it holds. Whatever throws in here leaves its memory in a state that is not known. */
import type { EngineDecision, EngineQuestion, EntityName } from '@agent-service/sdk/contracts/policy-engine'
import { type Context, type EntityJson, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { checkPolicy, loadPolicies, parsedSchemaName } from './cedar-policies.js'
import type { JobAnswer, JobKind, JobRequest } from './engine-jobs.js'

const inForce = 'in-force'
const rehearsed = 'rehearsed'
let loadedVersion: number | undefined

/** Does one job of each kind. */
export const jobs: { readonly [Kind in JobKind]: (request: JobRequest<Kind>) => JobAnswer<Kind> } = {
  load({ version, sources }) {
    const loaded = loadPolicies(inForce, sources)
    if (loaded.outcome === 'loaded') loadedVersion = version
    return loaded
  },
  decide({ version, questions }) {
    if (version !== loadedVersion) return { outcome: 'not_loaded' }
    return { outcome: 'decided', decisions: questions.map((question) => decide(inForce, question)) }
  },
  rehearse({ sources, questions }) {
    const loaded = loadPolicies(rehearsed, sources)
    if (loaded.outcome === 'refused') return loaded
    return { ...loaded, decisions: questions.map((question) => decide(rehearsed, question)) }
  },
  check: ({ files, text }) => checkPolicy(files, text),
}

/** Cedar passes over a policy that fails, also a `forbid`: here it denies. */
function decide(policySet: string, { principal, action, resource, context, entities }: EngineQuestion): EngineDecision {
  const answered = statefulIsAuthorized({
    ...{ principal: nameOf(principal), action: { type: 'Action', id: action }, resource: nameOf(resource) },
    context: context as Context,
    entities: entities.map(({ attributes, parents, ...name }) => ({
      uid: nameOf(name),
      attrs: attributes as EntityJson['attrs'],
      parents: parents.map(nameOf),
    })),
    ...{ preparsedPolicySetId: policySet, preparsedSchemaName: parsedSchemaName, validateRequest: true },
  })
  if (answered.type === 'failure')
    return { allowed: false, policyIds: [], errors: answered.errors.map(({ message }) => ({ policyId: null, message })) }
  const { decision, diagnostics } = answered.response
  const errors = diagnostics.errors.map(({ policyId, error }) => ({ policyId, message: error.message }))
  return { allowed: decision === 'allow' && errors.length === 0, policyIds: [...diagnostics.reason].sort(), errors }
}

const nameOf = ({ type, id }: EntityName): { type: string; id: string } => ({ type, id })
