import { ServiceError } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import {
  type AgentCredentials,
  agentCredentialNotGrantedError,
  type CredentialAgent,
  type CredentialUse,
  type GrantedCredential,
  type OpenedCredential,
} from '@agent-service/sdk/services/agent-credentials'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import { tooMuchOpenedError } from '../common/errors.js'
import { maxNames, maxOpenedBytes, maxOpenedFields } from '../common/limits.js'
import type { CredentialMetrics } from '../common/metrics.js'
import { textOf } from '../common/time.js'
import { endGrant, type GrantService, linesOf } from '../grants/grant-service.js'
import { grantedValues, hasSource, type Sources } from '../grants/sources.js'
import type { AccessLog, NewLogEntry } from '../log/access-log.js'
import type { Masking } from '../masking/masking.js'
import { type Grant, grantCollection, isExpired } from '../store/grant.js'
import { line } from '../vaults/checked-items.js'

export interface AgentCredentialsDependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly agents: Pick<Agents, 'details'>
  readonly grants: Pick<GrantService, 'ofAgent'>
  readonly sources: Sources
  readonly masking: Pick<Masking, 'remember' | 'mask'>
  readonly accessLog: AccessLog
  readonly events: Pick<PluginEvents, 'record'>
  readonly metrics: Pick<CredentialMetrics, 'opened'>
}

/** The service `agent-credentials`. */
export function createAgentCredentials(dependencies: AgentCredentialsDependencies): AgentCredentials {
  return {
    granted: async (agent) => (await usableGrants(dependencies, agent)).map(viewOf),
    open: (names, use, { signal }) => openAll(dependencies, [...new Set(names)], use, signal),
    mask: (agent) => dependencies.masking.mask(agent),
  }
}

/** Those whose credential is there and may be used, in the order in which they were granted. */
async function usableGrants(
  { grants, sources }: Pick<AgentCredentialsDependencies, 'grants' | 'sources'>,
  { userId, agentId }: CredentialAgent,
): Promise<readonly Grant[]> {
  const all = await grants.ofAgent(userId, agentId)
  const usable = await Promise.all(all.map(({ source }) => sources.exists(userId, source)))
  return all.filter((_, index) => usable[index])
}

const viewOf = ({ name, title, fields, once, expires_at: expiresAt }: Grant): GrantedCredential => ({
  ...{ name, title: line(title, 300), fields, once },
  until: expiresAt === null ? null : Date.parse(expiresAt),
})

interface Read {
  readonly grant: Grant
  readonly opened: OpenedCredential
}

/**
 * Reads all values first, then takes the grants and writes the log in one transaction: a grant that
 * was revoked or used meanwhile fails there, and no value is returned that the log does not have. A
 * vault that fails uses nothing up.
 */
async function openAll(
  dependencies: AgentCredentialsDependencies,
  names: readonly string[],
  use: CredentialUse,
  signal: AbortSignal,
): Promise<readonly OpenedCredential[]> {
  const { agents, metrics } = dependencies
  signal.throwIfAborted()
  if (names.length === 0) return []
  const { userId, agentId } = use
  const usable = (await agents.details(userId, agentId)) === undefined ? [] : await usableGrants(dependencies, use)
  const found = names.slice(0, maxNames).map((name) => ({ name, grant: usable.find((grant) => grant.name === name) }))
  const missing = names[maxNames] ?? found.find(({ grant }) => grant === undefined)?.name
  if (missing !== undefined) {
    metrics.opened('unknown', 'refused')
    await dependencies.accessLog.note(
      entryOf(use, { name: line(missing, 64), outcome: 'refused', code: agentCredentialNotGrantedError.code }),
    )
    throw notGranted(missing, usable)
  }
  const read: Read[] = []
  for (const { grant } of found) {
    if (!grant) continue
    read.push(await readGrant(dependencies, grant, use, signal))
    await checkSize(dependencies, read, use)
  }
  await remember(dependencies, read, use)
  await take(dependencies, read, use, signal)
  for (const { grant } of read) metrics.opened(grant.source.kind, 'ok')
  return read.map(({ opened }) => opened)
}

async function readGrant(
  { sources, accessLog, metrics }: AgentCredentialsDependencies,
  grant: Grant,
  use: CredentialUse,
  signal: AbortSignal,
): Promise<Read> {
  try {
    const source = await sources.open(use.userId, grant.source, { signal })
    return { grant, opened: { name: grant.name, fields: grantedValues(grant, source) } }
  } catch (error) {
    signal.throwIfAborted()
    metrics.opened(grant.source.kind, 'failed')
    await accessLog.note({
      ...entryOf(use, linesOf(grant)),
      outcome: 'failed',
      code: ServiceError.isInstance(error) ? error.code : 'internal_error',
    })
    // Deleted between the look at the grants and now.
    throw notFoundError.isInstance(error) ? notGranted(grant.name, []) : error
  }
}

/** What is far more than a process can have is refused before the next one is read. @throws `credentials_too_large`. */
async function checkSize({ accessLog, metrics }: AgentCredentialsDependencies, read: readonly Read[], use: CredentialUse): Promise<void> {
  const fields = read.flatMap(({ opened }) => opened.fields)
  const bytes = fields.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)
  if (fields.length <= maxOpenedFields && bytes <= maxOpenedBytes) return
  const error = tooMuchOpenedError.create({ maxFields: maxOpenedFields, maxBytes: maxOpenedBytes })
  for (const { grant } of read) {
    metrics.opened(grant.source.kind, 'failed')
    await accessLog.note({ ...entryOf(use, linesOf(grant)), outcome: 'failed', code: tooMuchOpenedError.code })
  }
  throw error
}

/** Takes the grants as they are now, all or none. @throws `agent_credential_not_granted`. */
async function take(
  dependencies: AgentCredentialsDependencies,
  read: readonly Read[],
  use: CredentialUse,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, accessLog, events, sources } = dependencies
  // The source may have been closed to the user while another was read.
  for (const { grant } of read) if (!(await sources.exists(use.userId, grant.source))) throw notGranted(grant.name, [])
  await database.transaction(
    async (transaction) => {
      const now = clock.now()
      for (const { grant } of read) {
        const stored = await transaction.get(grantCollection, grant.id)
        const isThere = stored && !isExpired(stored, now) && (await hasSource(transaction, use.userId, stored.source))
        if (!isThere) throw notGranted(grant.name, [])
        accessLog.record(transaction, entryOf(use, linesOf(stored)))
        if (stored.once) await endGrant(dependencies, transaction, stored, 'ended')
        else transaction.put(grantCollection, { ...stored, used_at: textOf(now), uses: stored.uses + 1 })
        const data = { change: 'used', grant_id: stored.id, agent_id: stored.agent_id }
        events.record(transaction, { userId: use.userId, name: 'credential.updated', data })
      }
    },
    { signal },
  )
}

/** What cannot be masked is not handed out. What is no secret, such as a user name, stays readable. */
async function remember({ masking, accessLog }: AgentCredentialsDependencies, read: readonly Read[], use: CredentialUse): Promise<void> {
  const secrets = read.flatMap(({ opened: { name, fields } }) =>
    fields.flatMap(({ secret, value }) => (secret && value !== '' ? [{ credential: name, value }] : [])),
  )
  try {
    if (secrets.length > 0) await masking.remember({ userId: use.userId, agentId: use.agentId }, secrets)
  } catch (error) {
    const code = ServiceError.isInstance(error) ? error.code : 'internal_error'
    for (const { grant } of read) await accessLog.note({ ...entryOf(use, linesOf(grant)), outcome: 'failed', code })
    throw error
  }
}

const entryOf = (use: CredentialUse, members: Partial<NewLogEntry>): NewLogEntry => ({
  ...{ user_id: use.userId, agent_id: use.agentId, kind: 'opened', use: use.kind, target: line(use.target, 300) },
  ...{ chat_id: use.chatId ?? null, run_id: use.runId ?? null, call_id: use.callId ?? null },
  ...members,
})

const notGranted = (name: string, granted: readonly Grant[]): Error =>
  agentCredentialNotGrantedError.create({ name: line(name, 64), granted: granted.map((grant) => grant.name).slice(0, 50) })
