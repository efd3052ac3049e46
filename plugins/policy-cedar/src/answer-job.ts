/**
 * Answers jobs by the loaded policies. Anything that throws in here leaves Cedar's memory in an
 * unknown state.
 */
import type { EngineDecision, EngineQuestion, EntityName } from '@agent-service/sdk/contracts/policy-engine'
import { type Context, type EntityJson, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { checkPolicy, loadPolicies, parsedSchemaName } from './cedar-policies.js'
import type { Job, JobAnswer, JobKind } from './engine-jobs.js'

const inForce = 'in-force'
const rehearsed = 'rehearsed'
let loadedVersion: number | undefined

export function answerJob({ kind, request }: Job): JobAnswer<JobKind> {
  switch (kind) {
    case 'load': {
      const loaded = loadPolicies(inForce, request.sources)
      if (loaded.outcome === 'loaded') loadedVersion = request.version
      return loaded
    }
    case 'decide':
      if (request.version !== loadedVersion) return { outcome: 'not_loaded' }
      return { outcome: 'decided', decisions: request.questions.map((question) => decide(inForce, question)) }
    case 'rehearse': {
      const loaded = loadPolicies(rehearsed, request.sources)
      if (loaded.outcome === 'refused') return loaded
      return { ...loaded, decisions: request.questions.map((question) => decide(rehearsed, question)) }
    }
    case 'check':
      return checkPolicy(request.files, request.text)
  }
}

/**
 * Cedar ignores a policy that fails, even a `forbid`: here it denies. It also permits by the type of
 * an entity that it was not given, and leaves out each `forbid` that looks at it: here that denies too.
 */
function decide(policySet: string, { principal, action, resource, context, entities }: EngineQuestion): EngineDecision {
  const missing = [principal, resource].find(({ type, id }) => !entities.some((entity) => entity.type === type && entity.id === id))
  if (missing) {
    const message = `the entity of ${missing.type} “${missing.id}” is missing from the question`
    return { allowed: false, policyIds: [], errors: [{ policyId: null, message }] }
  }
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
