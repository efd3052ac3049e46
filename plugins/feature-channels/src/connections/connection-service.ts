import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'
import { type Channel, channels } from '@agent-service/sdk/contracts/channel'
import { invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import { documentsOf } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import { channelUnknownError } from '../common/errors.js'
import { hashOf } from '../common/ids.js'
import type { RetrySettings } from '../common/retry-settings.js'
import { textOf } from '../common/time.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { sealSecrets, sealWebhookKey, splitMembers } from '../sessions/open-connection.js'
import { formOf } from '../sessions/run-session.js'
import { watchersOf } from '../sessions/save-state.js'
import { type AccessPolicy, type Connection, connectionCollection } from '../store/connection.js'
import { countConnection } from '../store/totals.js'
import { deleteContents } from './delete-contents.js'

/** Whose connections: a user's own, or (null) those that administrators share. */
export type ConnectionOwner = string | null

/** What a person decides about a connection. */
export interface ConnectionInput {
  readonly title: string
  readonly members: JsonObject
  readonly agent_id: string | null
  readonly access: AccessPolicy
  readonly mention_required: boolean
  readonly answer_bots: boolean
  readonly guest_tools: readonly string[]
  readonly retry: Partial<RetrySettings> | null
  readonly enabled: boolean
}

/** Connections of one owner; those of others do not exist for it. */
export interface ConnectionService {
  list(owner: ConnectionOwner): Promise<readonly Connection[]>
  /** @throws `not_found`. */
  demand(owner: ConnectionOwner, id: string): Promise<Connection>
  /** @throws `channel_unknown`, `invalid_request`, `quota_exceeded`. */
  create(owner: ConnectionOwner, channel: string, input: ConnectionInput): Promise<Connection>
  /** Members are replaced as a whole, with the secrets; the channel stays. @throws `not_found`, and as {@link create}. */
  change(owner: ConnectionOwner, id: string, change: Partial<ConnectionInput>): Promise<Connection>
  /** With everything that came and went through it; its chats stay. @throws `not_found`. */
  delete(owner: ConnectionOwner, id: string): Promise<void>
  /** One that failed or waits tries to connect now. @throws `not_found`. */
  retry(owner: ConnectionOwner, id: string): Promise<Connection>
}

export function createConnectionService(
  parts: ChannelParts,
  /** The connection is another one by now. */
  refresh: (connectionId: string) => Promise<void>,
): ConnectionService {
  const { database, clock, events, audit } = parts
  const connections = () => database.collection(connectionCollection)
  const channelOf = (id: string): Channel => {
    const all = parts.contributions.list(channels)
    const found = all.find(({ key }) => key === id)
    if (!found) throw channelUnknownError.create({ channel: id, known: all.map(({ key }) => key) })
    return found.value
  }
  const demand = async (owner: ConnectionOwner, id: string): Promise<Connection> => {
    const connection = await connections().get(id)
    if (!connection || connection.user_id !== owner) throw notFoundError.create({ what: 'connection to a channel' })
    return connection
  }
  const changed = async (owner: ConnectionOwner, id: string, work: (stored: Connection) => Connection): Promise<Connection> => {
    const watchers = await watchersOf(parts, owner)
    const after = await database.transaction(async (transaction) => {
      const stored = await transaction.get(connectionCollection, id)
      if (!stored || stored.user_id !== owner) throw notFoundError.create({ what: 'connection to a channel' })
      const next = { ...work(stored), changed_at: textOf(clock.now()) }
      transaction.put(connectionCollection, next)
      for (const userId of watchers)
        events.record(transaction, { userId, name: 'channel.updated', data: { connection_id: id, change: 'changed', state: next.state } })
      if (owner === null) audit.record(transaction, { kind: 'channel.changed', subject: id, before: audited(stored), after: audited(next) })
      return next
    })
    await refresh(id)
    return after
  }
  return {
    async list(owner) {
      const all: Connection[] = []
      for await (const connection of documentsOf(database, connectionCollection, { index: 'by_user', equals: [owner] }))
        all.push(connection)
      return all
    },
    demand,
    async create(owner, channelId, input) {
      const channel = channelOf(channelId)
      await checkInput(parts, owner, input)
      const { open, secret } = splitMembers(channel, input.members)
      const id = uuidv7({ msecs: clock.now() })
      const key = randomBytes(24).toString('base64url')
      const now = textOf(clock.now())
      const connection: Connection = {
        ...{ id, user_id: owner, channel: channel.id, title: input.title, members: open, secrets: await sealSecrets(parts, id, secret) },
        ...{ webhook_key: await sealWebhookKey(parts, id, key), webhook_hash: hashOf(key), generation: 1, enabled: input.enabled },
        ...{ agent_id: input.agent_id, access: input.access, mention_required: input.mention_required, answer_bots: input.answer_bots },
        guest_tools: input.guest_tools,
        ...{
          retry: input.retry,
          state: input.enabled ? 'connecting' : 'off',
          failure: null,
          failures: 0,
          next_attempt_at: null,
          revived_at: 0,
        },
        ...{ connected_at: null, account: null, form: formOf(channel), created_at: now, changed_at: now },
      }
      const watchers = await watchersOf(parts, owner)
      await database.transaction(async (transaction) => {
        await countConnection(transaction, owner, 1)
        transaction.insert(connectionCollection, connection)
        for (const userId of watchers)
          events.record(transaction, {
            userId,
            name: 'channel.updated',
            data: { connection_id: id, change: 'created', state: connection.state },
          })
        if (owner === null) audit.record(transaction, { kind: 'channel.created', subject: id, after: audited(connection) })
      })
      await refresh(id)
      return connection
    },
    async change(owner, id, { members, ...change }) {
      const before = await demand(owner, id)
      await checkInput(parts, owner, { ...before, ...change })
      // Secrets are entered again with every change: kept ones could be sent to another address.
      const split = members && splitMembers(channelOf(before.channel), members)
      const sealed = split && { members: split.open, secrets: await sealSecrets(parts, id, split.secret) }
      return changed(owner, id, (stored) => {
        const next: Connection = { ...stored, ...change, ...sealed }
        const isNewSession =
          sealed !== undefined || next.enabled !== stored.enabled || JSON.stringify(next.retry) !== JSON.stringify(stored.retry)
        return isNewSession ? anew(next, clock.now()) : next
      })
    },
    async delete(owner, id) {
      const connection = await demand(owner, id)
      const watchers = await watchersOf(parts, owner)
      await database.transaction(async (transaction) => {
        if (!(await transaction.get(connectionCollection, id))) return
        transaction.delete(connectionCollection, id)
        await countConnection(transaction, owner, -1)
        for (const userId of watchers)
          events.record(transaction, { userId, name: 'channel.updated', data: { connection_id: id, change: 'deleted' } })
        if (owner === null) audit.record(transaction, { kind: 'channel.deleted', subject: id, before: audited(connection) })
      })
      await refresh(id)
      await deleteContents(parts, id)
    },
    retry: (owner, id) => changed(owner, id, (stored) => (stored.enabled ? anew(stored, clock.now()) : stored)),
  }
}

/** The session begins again, as if it had never failed. */
const anew = (connection: Connection, now: number): Connection => ({
  ...connection,
  revived_at: connection.state === 'failed' ? now : connection.revived_at,
  ...{ generation: connection.generation + 1, failures: 0, failure: null, next_attempt_at: null, connected_at: null },
  state: connection.enabled ? 'connecting' : 'off',
})

/** What members alone cannot say. @throws `invalid_request`. */
async function checkInput(
  { agents }: ChannelParts,
  owner: ConnectionOwner,
  { agent_id: agentId, access, guest_tools: guestTools }: Pick<ConnectionInput, 'agent_id' | 'access' | 'guest_tools'>,
): Promise<void> {
  const refuse = (path: string, message: string): Error => invalidRequestError.create({ where: 'body' }, { problems: [{ path, message }] })
  if (owner === null && access !== 'pairing')
    throw refuse('/access', 'must be “pairing” for a shared connection: each person there has an account of their own')
  if (owner === null && agentId !== null) throw refuse('/agent_id', 'must be null for a shared connection: each person’s own agent answers')
  if (owner === null && guestTools.length > 0)
    throw refuse('/guest_tools', 'must be empty for a shared connection: it cannot decide for the accounts of the people there')
  if (owner !== null && agentId !== null && !(await agents.details(owner, agentId)))
    throw refuse('/agent_id', 'must be the id of one of your agents')
}

const audited = ({ channel, title, access, enabled, generation }: Connection): JsonObject => ({
  channel,
  title,
  access,
  enabled,
  generation,
})
