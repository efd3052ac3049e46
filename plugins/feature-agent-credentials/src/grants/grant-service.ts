import { notFoundError, pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { AgentDetails, Agents } from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf, type Transaction } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import { nameTakenError } from '../common/errors.js'
import type { CredentialMetrics } from '../common/metrics.js'
import { textOf, textOrNull } from '../common/time.js'
import type { AccessLog } from '../log/access-log.js'
import { type Grant, type GrantSource, grantCollection, isExpired } from '../store/grant.js'
import { count } from '../store/totals.js'
import { type Binding, bindFields } from './bindings.js'
import { hasSource, type Sources, sourceIdOf } from './sources.js'

/** For how long. Neither: until it is revoked. */
export interface GrantTerm {
  readonly once?: boolean
  /** From now, in seconds. Null: without an end. */
  readonly expiresInSeconds?: number | null
}

/** What a person grants. */
export interface NewGrant extends GrantTerm {
  readonly agentId: string
  readonly source: GrantSource
  /** Default: the name of the credential, or one made of the item's title. */
  readonly name?: string
  /** Default: by {@link bindFields}. */
  readonly bindings?: readonly Binding[]
}

/** The permissions of agents. */
export interface GrantService {
  /**
   * Grants a credential to an agent; an item of a vault is read for the names of its fields.
   * `answered` names the call that asked for it: repeated, it makes no second grant. @throws
   * `not_found`, `invalid_request`, `credential_name_taken`, `quota_exceeded`, an error of the vault.
   */
  create(
    userId: string,
    grant: NewGrant,
    options: { readonly signal: AbortSignal; readonly answered?: { readonly callId: string } },
  ): Promise<Grant>
  list(
    userId: string,
    query: { readonly agentId?: string; readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly items: readonly Grant[]; readonly next_cursor: string | null }>
  /** @throws `not_found`, `invalid_request`. */
  change(userId: string, id: string, change: GrantTerm & { readonly bindings?: readonly Binding[] }): Promise<Grant>
  /** Revokes it at once. False if there was none. */
  revoke(userId: string, id: string): Promise<boolean>
  /** Those of one agent that have not expired. */
  ofAgent(userId: string, agentId: string): Promise<readonly Grant[]>
  /** Ends all grants of an agent that is gone. */
  endOfAgent(userId: string, agentId: string): Promise<void>
  /** Ends all grants of a user whose agents are gone. */
  endOfMissingAgents(userId: string): Promise<void>
  /** Ends all grants of a credential or connection that was deleted. */
  endOfSource(sourceId: string): Promise<void>
}

export interface GrantServiceDependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly agents: Pick<Agents, 'details'>
  readonly sources: Sources
  readonly events: Pick<PluginEvents, 'record'>
  readonly accessLog: AccessLog
  readonly metrics: Pick<CredentialMetrics, 'granted'>
}

export function createGrantService(dependencies: GrantServiceDependencies): GrantService {
  const { database, clock, agents, accessLog, events } = dependencies
  const ofAgent = async (userId: string, agentId: string): Promise<readonly Grant[]> => {
    const grants: Grant[] = []
    for await (const grant of documentsOf(database, grantCollection, { index: 'by_agent', equals: [userId, agentId] })) grants.push(grant)
    return grants.filter((grant) => !isExpired(grant, clock.now()))
  }
  const end = (grant: Pick<Grant, 'id' | 'user_id'>, kind: 'revoked' | 'ended'): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const stored = await transaction.get(grantCollection, grant.id)
      if (stored?.user_id !== grant.user_id) return false
      await endGrant(dependencies, transaction, stored, kind)
      return true
    })
  const endAll = async (grants: AsyncIterable<Grant>, when: (grant: Grant) => Promise<boolean> = async () => true): Promise<void> => {
    for await (const grant of grants) if (await when(grant)) await end(grant, 'ended')
  }
  return {
    create: (userId, grant, options) => createGrant(dependencies, userId, { ...grant, ofAgent }, options),
    async list(userId, { agentId, ...page }) {
      const place = agentId === undefined ? { index: 'by_user', equals: [userId] } : { index: 'by_agent', equals: [userId, agentId] }
      const found = await pageOfIndex(database.collection(grantCollection), place, page)
      return { ...found, items: found.items.filter((grant) => !isExpired(grant, clock.now())) }
    },
    async change(userId, id, { bindings, ...term }) {
      const known = await database.collection(grantCollection).get(id)
      if (known?.user_id !== userId) throw notFoundError.create({ what: 'grant' })
      const others = (await ofAgent(userId, known.agent_id)).filter((grant) => grant.id !== id)
      return database.transaction(async (transaction) => {
        const before = await transaction.get(grantCollection, id)
        if (before?.user_id !== userId || isExpired(before, clock.now())) throw notFoundError.create({ what: 'grant' })
        const fields = bindings && bindFields(before.name, before.fields, { bindings, taken: variablesOf(others) })
        const after: Grant = { ...before, ...(fields && { fields }), ...termOf(term, clock.now()) }
        transaction.put(grantCollection, after)
        accessLog.record(transaction, { ...linesOf(after), kind: 'changed' })
        events.record(transaction, { userId, name: 'credential.updated', data: { change: 'grant_changed', ...idsOf(after) } })
        return after
      })
    },
    revoke: (userId, id) => end({ id, user_id: userId }, 'revoked'),
    ofAgent,
    endOfAgent: (userId, agentId) => endAll(documentsOf(database, grantCollection, { index: 'by_agent', equals: [userId, agentId] })),
    endOfMissingAgents: (userId) =>
      endAll(
        documentsOf(database, grantCollection, { index: 'by_user', equals: [userId] }),
        async (grant) => (await agents.details(userId, grant.agent_id)) === undefined,
      ),
    endOfSource: (sourceId) => endAll(documentsOf(database, grantCollection, { index: 'by_source', equals: [sourceId] })),
  }
}

async function createGrant(
  dependencies: GrantServiceDependencies,
  userId: string,
  { ofAgent, ...grant }: NewGrant & Pick<GrantService, 'ofAgent'>,
  { signal, answered }: { readonly signal: AbortSignal; readonly answered?: { readonly callId: string } },
): Promise<Grant> {
  const { database, clock, agents, sources, accessLog, events, metrics } = dependencies
  const { agentId, source, bindings } = grant
  const agent: AgentDetails | undefined = await agents.details(userId, agentId)
  if (!agent) throw notFoundError.create({ what: 'agent' })
  const opened = await sources.open(userId, source, { signal })
  const name = grant.name ?? opened.name
  const id = uuidv7({ msecs: clock.now() })
  const made = await database.transaction(
    async (transaction) => {
      const now = clock.now()
      if (!(await hasSource(transaction, userId, source))) throw notFoundError.create({ what: 'credential' })
      const known = await transaction.find(grantCollection, 'by_name', [userId, agentId, name])
      if (known && !isExpired(known, now)) {
        if (answered && known.call_id === answered.callId) return { grant: known, isNew: false }
        throw nameTakenError.create({ what: 'a grant of this agent', name })
      }
      if (known) await endGrant(dependencies, transaction, known, 'ended')
      const fields = bindFields(name, opened.fields, { bindings, taken: variablesOf(await ofAgent(userId, agentId)) })
      const created: Grant = {
        ...{ id, user_id: userId, agent_id: agentId, name, title: opened.title, source, source_id: sourceIdOf(source), fields },
        ...{ once: false, expires_at: null, created_at: textOf(now), used_at: null, uses: 0 },
        ...{ created_by: answered ? 'answer' : 'person', call_id: answered?.callId ?? null },
        ...termOf(grant, now),
      }
      await count(transaction, userId, 'grants', 1)
      transaction.insert(grantCollection, created)
      accessLog.record(transaction, { ...linesOf(created), kind: 'granted', call_id: created.call_id })
      events.record(transaction, { userId, name: 'credential.updated', data: { change: 'granted', ...idsOf(created) } })
      return { grant: created, isNew: true }
    },
    { signal },
  )
  if (made.isNew) metrics.granted(answered ? 'answer' : 'person')
  return made.grant
}

/** Ends a grant, within a transaction that has read it. */
export async function endGrant(
  { accessLog, events }: Pick<GrantServiceDependencies, 'accessLog' | 'events'>,
  transaction: Transaction,
  grant: Grant,
  kind: 'revoked' | 'ended',
): Promise<void> {
  transaction.delete(grantCollection, grant.id)
  await count(transaction, grant.user_id, 'grants', -1)
  accessLog.record(transaction, { ...linesOf(grant), kind })
  const data = { change: 'revoked', ...idsOf(grant) }
  events.record(transaction, { userId: grant.user_id, name: 'credential.updated', data })
}

const variablesOf = (grants: readonly Grant[]): ReadonlySet<string> =>
  new Set(grants.flatMap(({ fields }) => fields.flatMap(({ variable }) => (variable === null ? [] : [variable]))))

const termOf = ({ once, expiresInSeconds }: GrantTerm, now: number): Partial<Pick<Grant, 'once' | 'expires_at'>> => ({
  ...(once !== undefined && { once }),
  ...(expiresInSeconds !== undefined && { expires_at: textOrNull(expiresInSeconds === null ? undefined : now + expiresInSeconds * 1_000) }),
})

const idsOf = ({ id, agent_id }: Grant) => ({ grant_id: id, agent_id })

/** What the log says of a grant. */
export const linesOf = ({ user_id, agent_id, name, title, source }: Grant) => ({
  ...{ user_id, agent_id, name, title },
  vault_id: source.kind === 'vault' ? source.vault_id : null,
})
