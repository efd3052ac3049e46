import type { EngineQuestion, PolicyEngine, PolicyFile } from '../../contracts/policy-engine/policy-engine.js'
import type { SuiteRunner } from '../suite-runner.js'

/** A policy, and two questions of the same names that it decides differently. */
export interface PolicyEngineCase {
  /** A policy that permits one of them. */
  readonly policy: string
  /** The question that it permits. */
  readonly permitted: EngineQuestion
  /** The same principal, action and resource; only what the policy looks at is different. */
  readonly denied: EngineQuestion
}

/** Policies in the engine's language, and questions for them. */
export interface PolicyEngineExample {
  /** The policy files that are loaded with them. At least one file with one policy. */
  readonly files: readonly PolicyFile[]
  /**
   * Two questions of different users, which no policy of the files permits. Both users have the
   * same attributes.
   */
  readonly questions: readonly [EngineQuestion, EngineQuestion]
  /** A policy that permits both. */
  readonly permit: string
  /** A policy that forbids both. */
  readonly forbid: string
  /** A policy that permits only the first, by the id of its user. */
  readonly permitFirst: string
  /** A text that is not a policy. */
  readonly bad: string
  /** A further file with one policy, which permits both. */
  readonly permitFile: PolicyFile
  /** A further file with one policy, which forbids both. */
  readonly forbidFile: PolicyFile
  /**
   * A policy that looks at an attribute of an entity. Default: none, the language has no such; the
   * suite notes that attributes are not checked.
   */
  readonly byAttribute?: PolicyEngineCase
  /** A policy that looks at what an entity belongs to, by its parents. Default: none, as above. */
  readonly byParents?: PolicyEngineCase
  /** A policy that looks at the context. Default: none, as above. */
  readonly byContext?: PolicyEngineCase
  /**
   * A policy that permits both, but fails when it is asked. Default: none, no policy of the language
   * can fail; the suite notes that failing policies are not checked.
   */
  readonly failing?: string
}

/** The options of {@link describePolicyEngine}. */
export interface PolicyEngineSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes an engine that has loaded nothing yet. Called for each test. */
  create(): PolicyEngine | Promise<PolicyEngine>
  /** Closes what {@link create} opened. Called after each test. Default: does nothing. */
  dispose?(): Promise<void>
  /** The examples. */
  readonly example: PolicyEngineExample
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}
