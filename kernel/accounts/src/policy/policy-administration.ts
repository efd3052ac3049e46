import type { AuditActor } from '@agent-service/kernel-core/audit'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { JsonObject } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { EngineDecision, EngineQuestion, PolicyCheck, PolicyEffect, PolicyProblem } from '@agent-service/sdk/contracts/policy-engine'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { v7 as uuid } from 'uuid'
import type { AuditKind, AuditLog } from '../audit/index.js'
import type { EngineAccess } from './engine-access.js'
import { policiesBusyError, policiesUnavailableError, policyInvalidError, policyLocksOutError, policyReadOnlyError } from './errors.js'
import type { PolicyDecisions } from './policy-decisions.js'
import type { PolicyRecord } from './policy-records.js'
import type { PolicySource } from './policy-source.js'
import { type KnownEntities, readQuestions } from './read-questions.js'
import type { PolicyWrite, StoredPolicies } from './stored-policies.js'

const maxAttempts = 8

/** An admin's input for a policy. */
export interface PolicyInput {
  readonly text: string
  readonly description: string
  readonly enabled: boolean
}

/** A shipped or a stored policy. */
export type AnyPolicy =
  | ({ readonly source: 'stored' } & PolicyRecord)
  | {
      readonly source: 'shipped'
      readonly id: string
      readonly description: string
      readonly effect: PolicyEffect
      readonly text: string
    }

/** A decision with the policies that led to it. */
export interface ExplainedDecision extends EngineDecision {
  readonly policies: readonly AnyPolicy[]
}

/**
 * The administration of policies. A change is in force when its promise resolves, and the admin who
 * made it can undo it.
 */
export interface PolicyAdministration {
  /** First the shipped policies, then the stored ones from old to new. */
  list(): Promise<readonly AnyPolicy[]>
  /** @throws `not_found`. */
  get(id: string): Promise<AnyPolicy>
  /** @throws `policy_invalid`, `policy_locks_out`, `too_many_policies`, `policies_busy`. */
  create(input: PolicyInput, actor: AuditActor): Promise<AnyPolicy>
  /** Replaces a policy. @throws as `create`, `not_found`, `policy_read_only`. */
  change(id: string, input: PolicyInput, actor: AuditActor): Promise<AnyPolicy>
  /** @throws `not_found`, `policy_read_only`, `policy_locks_out`, `policies_busy`. */
  delete(id: string, actor: AuditActor): Promise<void>
  /**
   * Disables every stored policy and returns their number: the recovery from a lock-out, for
   * operators with access to the data folder. Needs no engine.
   */
  switchOff(actor: AuditActor): Promise<number>
  /** Checks a text; stores nothing. */
  check(text: string): Promise<PolicyCheck>
  explain(question: PolicyRequest): Promise<ExplainedDecision>
}

/**
 * Makes it. `undoQuestions`: the questions that must stay allowed for the admin who changes
 * policies, so that the change can be undone.
 */
export function createPolicyAdministration(dependencies: {
  readonly engine: EngineAccess
  readonly source: PolicySource
  readonly decisions: PolicyDecisions
  readonly stored: StoredPolicies
  readonly known: KnownEntities
  readonly audit: AuditLog
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly undoQuestions: (userId: string) => readonly EngineQuestion[]
}): PolicyAdministration {
  const { engine, source, decisions, stored, known, audit, kernelDatabase, undoQuestions } = dependencies

  const check = async (text: string): Promise<PolicyCheck> => {
    const files = await source.files()
    return engine.ask((asked, call) => asked.check({ files, text }, call))
  }
  const checked = async (text: string): Promise<PolicyEffect> => {
    const found = await check(text)
    if (found.outcome === 'sound') return found.effect
    throw policyInvalidError.create({}, { problems: found.problems.map((problem) => ({ path: '/text', message: placed(problem) })) })
  }

  /** Throws if the actor could not undo a change to these policies. */
  const keepWayBack = async (after: readonly PolicyRecord[], actor: AuditActor): Promise<void> => {
    if (actor.userId === null) return
    const [sources, questions] = [await source.sources(after), undoQuestions(actor.userId)]
    const answer = await engine.ask((asked, call) => asked.rehearse({ sources, questions }, call))
    if (answer.outcome === 'refused') throw policiesUnavailableError.create({ reason: answer.problems.map(placed).join('\n') })
    if (!questions.every((_, index) => answer.decisions[index]?.allowed === true)) throw policyLocksOutError.create({})
  }

  const note = (transaction: Transaction, kind: AuditKind, actor: AuditActor, { before, after }: PolicyWrite): void => {
    const record = after ?? before
    if (!record) return
    const { id, effect, enabled } = record
    audit.record(transaction, { kind, actor, subjectId: id, details: { policy_id: id, effect, enabled }, ...changedStates(before, after) })
  }

  /**
   * Checks a change against a snapshot of all policies and writes it if they are still the same.
   */
  const apply = async (
    kind: AuditKind,
    actor: AuditActor,
    plan: (policies: readonly PolicyRecord[]) => readonly PolicyWrite[],
    options: { readonly careful: boolean } = { careful: true },
  ): Promise<readonly PolicyWrite[]> => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { revision, policies } = await stored.snapshot()
      const writes = plan(policies)
      const gone = new Set(writes.map(({ before }) => before?.id))
      const after = [...policies.filter(({ id }) => !gone.has(id)), ...writes.flatMap((write) => write.after ?? [])]
      if (options.careful) await keepWayBack(after, actor)
      const written = await stored.write(revision, writes, (transaction) => {
        for (const write of writes) note(transaction, kind, actor, write)
        kernelDatabase.kernelView(transaction).afterCommit(() => {
          source.changed()
          decisions.changed()
        })
      })
      if (written) return writes
    }
    throw policiesBusyError.create({}, { retryAfterSeconds: 1 })
  }

  const isShipped = async (id: string): Promise<boolean> => (await source.load()).shipped.some((policy) => policy.id === id)
  const refuseShipped = async (id: string): Promise<void> => {
    if (await isShipped(id)) throw policyReadOnlyError.create({ id })
  }
  const existing = (policies: readonly PolicyRecord[], id: string): PolicyRecord => {
    const found = policies.find((policy) => policy.id === id)
    if (!found) throw notFoundError.create({ what: 'policy' })
    return found
  }
  const shipped = async (): Promise<readonly AnyPolicy[]> =>
    (await source.load()).shipped.map((policy) => ({ source: 'shipped', ...policy }) as const)
  const ofDeployment = (policy: PolicyRecord): AnyPolicy => ({ source: 'stored', ...policy })
  const list = async (): Promise<readonly AnyPolicy[]> => [...(await shipped()), ...(await stored.snapshot()).policies.map(ofDeployment)]

  return {
    list,
    async get(id) {
      const policy = await stored.get(id)
      const found = policy ? ofDeployment(policy) : (await shipped()).find((other) => other.id === id)
      if (!found) throw notFoundError.create({ what: 'policy' })
      return found
    },
    async create(input, actor) {
      const effect = await checked(input.text)
      const now = stored.now()
      const record: PolicyRecord = { id: uuid(), ...input, effect, created_at: now, updated_at: now }
      await apply('policy.created', actor, () => [{ after: record }])
      return ofDeployment(record)
    },
    async change(id, input, actor) {
      await refuseShipped(id)
      const effect = await checked(input.text)
      const [write] = await apply('policy.changed', actor, (policies) => {
        const before = existing(policies, id)
        return [{ before, after: { ...before, ...input, effect, updated_at: stored.now() } }]
      })
      if (!write?.after) throw notFoundError.create({ what: 'policy' })
      return ofDeployment(write.after)
    },
    async delete(id, actor) {
      await refuseShipped(id)
      await apply('policy.deleted', actor, (policies) => [{ before: existing(policies, id) }])
    },
    async switchOff(actor) {
      const plan = (policies: readonly PolicyRecord[]): readonly PolicyWrite[] =>
        policies
          .filter(({ enabled }) => enabled)
          .map((before) => ({ before, after: { ...before, enabled: false, updated_at: stored.now() } }))
      if (plan((await stored.snapshot()).policies).length === 0) return 0
      return (await apply('policy.changed', actor, plan, { careful: false })).length
    },
    check,
    async explain(question) {
      const { resource, ...asked } = question
      const [decision] = await decisions.decide(() => readQuestions(asked, [resource], known))
      if (!decision) throw policiesUnavailableError.create({ reason: 'the engine did not answer' })
      const all = decision.policyIds.length === 0 ? [] : await list()
      return { ...decision, policies: all.filter(({ id }) => decision.policyIds.includes(id)) }
    },
  }
}

/**
 * The changes of a write for the audit log: all of a new or deleted policy, otherwise the
 * difference.
 */
function changedStates(before: PolicyRecord | undefined, after: PolicyRecord | undefined) {
  if (!before || !after) return { before: before && stateOf(before), after: after && stateOf(after) }
  const [was, is] = [stateOf(before), stateOf(after)]
  const differing = Object.keys(is).filter((name) => is[name] !== was[name])
  const only = (state: JsonObject): JsonObject => Object.fromEntries(differing.map((name) => [name, state[name] ?? null]))
  return { before: only(was), after: only(is) }
}

/** The relevant fields of a policy for the audit log. */
const stateOf = ({ text, description, effect, enabled }: PolicyRecord): JsonObject => ({ text, description, effect, enabled })

const placed = ({ line, column, message }: PolicyProblem): string => `line ${line}, column ${column}: ${message}`
