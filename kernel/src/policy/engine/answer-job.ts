/** What the engine answers to jobs, with the policies that it holds. Whatever throws in here leaves its memory in a state that is not known. */
import { type Context, type EntityJson, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { checkPolicy, loadPolicies, schemaName } from './cedar-policies.js'
import type { EngineAnswer, EngineDecision, EngineJob, EngineRequest } from './engine-jobs.js'

const inForce = 'in-force'
const rehearsed = 'rehearsed'
let loadedVersion: number | undefined

/** Does one job. */
export function answerJob(job: EngineJob): EngineAnswer {
  switch (job.kind) {
    case 'load': {
      const loaded = loadPolicies(inForce, job.sources)
      if (loaded.outcome === 'loaded') loadedVersion = job.version
      return loaded
    }
    case 'decide':
      if (job.version !== loadedVersion) return { outcome: 'not_loaded' }
      return { outcome: 'decided', decisions: job.requests.map((request) => decide(inForce, request)) }
    case 'rehearse': {
      const loaded = loadPolicies(rehearsed, job.sources)
      return { ...loaded, decisions: loaded.outcome === 'loaded' ? job.requests.map((request) => decide(rehearsed, request)) : [] }
    }
    case 'check':
      return checkPolicy(job.schema, job.text)
  }
}

/** Cedar passes over a policy that fails, also a `forbid`: here it denies. */
function decide(policySet: string, { principal, action, resource, context, entities }: EngineRequest): EngineDecision {
  const answered = statefulIsAuthorized({
    ...{ principal: nameOf(principal), action: { type: 'Action', id: action }, resource: nameOf(resource) },
    context: context as Context,
    entities: entities.map(({ attributes, parents, ...name }) => ({
      uid: nameOf(name),
      attrs: attributes as EntityJson['attrs'],
      parents: parents.map(nameOf),
    })),
    ...{ preparsedPolicySetId: policySet, preparsedSchemaName: schemaName, validateRequest: true },
  })
  if (answered.type === 'failure')
    return { allowed: false, policyIds: [], errors: answered.errors.map(({ message }) => ({ policyId: null, message })) }
  const { decision, diagnostics } = answered.response
  const errors = diagnostics.errors.map(({ policyId, error }) => ({ policyId, message: error.message }))
  return { allowed: decision === 'allow' && errors.length === 0, policyIds: [...diagnostics.reason].sort(), errors }
}

const nameOf = ({ type, id }: { readonly type: string; readonly id: string }): { type: string; id: string } => ({ type, id })
