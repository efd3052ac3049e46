import type { JsonObject } from '@agent-service/sdk'

/** Names an entity. */
export interface EntityName {
  readonly type: string
  readonly id: string
}

/** An entity with everything that policies may ask of it. */
export interface EngineEntity extends EntityName {
  readonly attributes: JsonObject
  readonly parents: readonly EntityName[]
}

/** One question with all that is known for it. */
export interface EngineRequest {
  readonly principal: EntityName
  readonly action: string
  readonly resource: EntityName
  readonly context: JsonObject
  readonly entities: readonly EngineEntity[]
}

/** Something that went wrong while a question was decided. */
export interface EvaluationError {
  /** Null where the question itself does not fit the schema. */
  readonly policyId: string | null
  readonly message: string
}

/** An answer, with what only operators see. */
export interface EngineDecision {
  /** Never true where something went wrong. */
  readonly allowed: boolean
  /** The policies that determined it; empty where no policy permits it. */
  readonly policyIds: readonly string[]
  readonly errors: readonly EvaluationError[]
}

/** A place in a policy's text that is not right. Lines and columns begin at 1; columns count characters. */
export interface PolicyProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** One file of `policy/`. */
export interface PolicyFile {
  readonly name: string
  readonly text: string
}

/** The text of one policy. */
export interface PolicyText {
  readonly id: string
  readonly text: string
}

export type PolicyEffect = 'permit' | 'forbid'

/** A policy that ships with the service. */
export interface ShippedPolicy extends PolicyText {
  readonly effect: PolicyEffect
  readonly description: string
}

/** Everything that decisions are made by. */
export interface PolicySources {
  readonly schema: PolicyFile
  readonly files: readonly PolicyFile[]
  readonly stored: readonly PolicyText[]
}

/** What a text was found to be. */
export type PolicyCheck =
  | { readonly outcome: 'sound'; readonly effect: PolicyEffect; readonly warnings: readonly PolicyProblem[] }
  | { readonly outcome: 'refused'; readonly problems: readonly PolicyProblem[] }

/** What a set of policies was found to be. `where`: a file, or the id of a stored policy. */
export type LoadAnswer =
  | { readonly outcome: 'loaded'; readonly shipped: readonly ShippedPolicy[] }
  | { readonly outcome: 'refused'; readonly problems: readonly (PolicyProblem & { readonly where: string })[] }

/** What the engine does: for each kind of job what it is given and what it answers. */
export interface EngineJobs {
  /** Replaces the policies that decisions are made by. Refused: those of before stay. `version` names the set for `decide`. */
  readonly load: { readonly given: { readonly version: number; readonly sources: PolicySources }; readonly answer: LoadAnswer }
  /** Decides by the set that was loaded under this version. */
  readonly decide: {
    readonly given: { readonly version: number; readonly requests: readonly EngineRequest[] }
    readonly answer: { readonly outcome: 'decided'; readonly decisions: readonly EngineDecision[] } | { readonly outcome: 'not_loaded' }
  }
  /** Decides by other policies than those in force, which stay. */
  readonly rehearse: {
    readonly given: { readonly sources: PolicySources; readonly requests: readonly EngineRequest[] }
    readonly answer: LoadAnswer & { readonly decisions: readonly EngineDecision[] }
  }
  /** Parses and validates one policy. */
  readonly check: { readonly given: { readonly schema: PolicyFile; readonly text: string }; readonly answer: PolicyCheck }
}

export type EngineJobKind = keyof EngineJobs

/** A job as it is given to the process. */
export type EngineJob = { readonly [Kind in EngineJobKind]: { readonly kind: Kind } & EngineJobs[Kind]['given'] }[EngineJobKind]

/** The answer to a job. */
export type EngineAnswer = EngineJobs[EngineJobKind]['answer']

/** What the process says: first that it is ready for jobs, then one answer for each job, in their order. */
export type FromPolicyProgram = 'ready' | EngineAnswer
