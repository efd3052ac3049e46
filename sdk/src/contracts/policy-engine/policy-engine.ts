import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'

/** Names an entity. */
export interface EntityName {
  /** `User`, `Tool`, … */
  readonly type: string
  /** Unique among the entities of its type. */
  readonly id: string
}

/** An entity with its attributes and parents. */
export interface EngineEntity extends EntityName {
  /** JSON without null. Another entity is `{ __entity: { type, id } }`. */
  readonly attributes: JsonObject
  /** Its parents. Each of them is in the question too. */
  readonly parents: readonly EntityName[]
}

/** One question with its entities: may `principal` do `action` to `resource`? */
export interface EngineQuestion {
  /** The principal. */
  readonly principal: EntityName
  /** `call`, `use_tool`, … */
  readonly action: string
  /** The resource. */
  readonly resource: EntityName
  /** The context of the action. JSON without null. */
  readonly context: JsonObject
  /** The principal, the resource, and what they belong to. The principal comes first. */
  readonly entities: readonly EngineEntity[]
}

/** An error during a decision. */
export interface EngineDecisionError {
  /** Null if the question itself does not fit. */
  readonly policyId: string | null
  /** For operators. */
  readonly message: string
}

/** A decision, with details for operators. */
export interface EngineDecision {
  /** Never true if no policy permits it, if one forbids it, or if anything went wrong. */
  readonly allowed: boolean
  /** The policies that determined it, sorted; empty if no policy permits it. */
  readonly policyIds: readonly string[]
  /** Empty if all went well. */
  readonly errors: readonly EngineDecisionError[]
}

/** A problem at a position of a text. */
export interface PolicyProblem {
  /** From 1. */
  readonly line: number
  /** From 1, in characters. */
  readonly column: number
  /** The problem. */
  readonly message: string
}

/** One file of the folder `policy` in the shared resources. */
export interface PolicyFile {
  /** Without a folder: `roles.cedar`. */
  readonly name: string
  /** The whole file. */
  readonly text: string
}

/** A policy that administrators have stored. */
export interface PolicyText {
  /** Unique among the policies of a set. */
  readonly id: string
  /** One policy in the engine's language. */
  readonly text: string
}

/** What a policy does if it applies. */
export type PolicyEffect = 'permit' | 'forbid'

/** A policy from a file. */
export interface ShippedPolicy extends PolicyText {
  /** Forbid wins over every permit. */
  readonly effect: PolicyEffect
  /** A description for people. */
  readonly description: string
}

/** A set of policies. */
export interface PolicySources {
  /** Those whose names have one of {@link PolicyEngine.fileEndings}, sorted by name. */
  readonly files: readonly PolicyFile[]
  /** Oldest first. Each was valid when it was stored. */
  readonly stored: readonly PolicyText[]
}

/** Information about usable policies. */
export interface UsablePolicies {
  /** Decisions can be made by them. */
  readonly outcome: 'loaded'
  /** Those from files. */
  readonly shipped: readonly ShippedPolicy[]
  /**
   * Whether a decision may depend on which user asks, beyond the user's attributes, if neither the
   * question names a user elsewhere nor the user belongs to anything. With false, the kernel
   * decides once for all users with the same attributes.
   */
  readonly dependsOnUserIds: boolean
  /**
   * By which paths the policies tell files apart: two files that fit the same of these are decided
   * alike, if all else is equal, whether a policy looks at their `path` or their id. Absent: they
   * may be told apart in other ways.
   */
  readonly filePatterns?: readonly FilePattern[]
}

/**
 * A pattern of paths: the texts between its wildcards, each of which stands for any text.
 * `["a/", ".md"]` is `a/*.md`; one text alone is that very path.
 */
export type FilePattern = readonly string[]

/** Why policies cannot be used. */
export interface RefusedPolicies {
  /** Nothing was changed. */
  readonly outcome: 'refused'
  /** At least one. `where`: the name of a file, or the id of a stored policy. */
  readonly problems: readonly (PolicyProblem & { readonly where: string })[]
}

/** The result of a check. */
export type PolicyCheck =
  | {
      readonly outcome: 'sound'
      readonly effect: PolicyEffect
      /** Valid, but probably a mistake. */
      readonly warnings: readonly PolicyProblem[]
    }
  | { readonly outcome: 'refused'; readonly problems: readonly PolicyProblem[] }

/** Options of every call. */
export interface PolicyEngineCall {
  /** The answer is not needed any more once it is aborted. */
  readonly signal: AbortSignal
}

/**
 * Decides by policies. The kernel stores them, asks the questions and remembers the decisions; what
 * an engine does not answer is denied.
 *
 * An engine holds the last set that was loaded, and may lose it at any time, by the end of a
 * process say: then it answers `not_loaded`, and the kernel loads again. Several calls may be under
 * way. Every method may throw `policy_engine_failed` with a reason for operators.
 */
export interface PolicyEngine extends Contribution {
  /** The generation of this contract that the engine is written for. */
  readonly specVersion: 1
  /** The id of its plugin, without the `policy-` that this may begin with: `cedar`. */
  readonly id: string
  /** The name of its language, for people: `Cedar`. */
  readonly title: string
  /** How the names of its files end: `['.cedar']`. */
  readonly fileEndings: readonly string[]
  /** Announces questions: begins slow preparation, and does not wait for it. */
  prepare(): Promise<void>
  /** Replaces the set that decisions are made by. Where it is refused, the set before stays. */
  load(
    request: { readonly version: number; readonly sources: PolicySources },
    call: PolicyEngineCall,
  ): Promise<UsablePolicies | RefusedPolicies>
  /**
   * Decides by the set that was loaded under this version: one decision for each question, in
   * order. `not_loaded`: the engine holds no set, or one of another version.
   */
  decide(
    request: { readonly version: number; readonly questions: readonly EngineQuestion[] },
    call: PolicyEngineCall,
  ): Promise<{ readonly outcome: 'decided'; readonly decisions: readonly EngineDecision[] } | { readonly outcome: 'not_loaded' }>
  /** Decides by another set, and keeps the active one. */
  rehearse(
    request: { readonly sources: PolicySources; readonly questions: readonly EngineQuestion[] },
    call: PolicyEngineCall,
  ): Promise<(UsablePolicies & { readonly decisions: readonly EngineDecision[] }) | RefusedPolicies>
  /** Reads one policy as it would be stored beside these files. */
  check(request: { readonly files: readonly PolicyFile[]; readonly text: string }, call: PolicyEngineCall): Promise<PolicyCheck>
}
