import { type JsonObject, type Problem, validate } from '@agent-service/sdk'
import type { Channel, ChannelConnection } from '@agent-service/sdk/contracts/channel'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { maxMembersBytes } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'

const placeOf = (id: string, field: 'secrets' | 'webhook_key') => ({ collection: connectionCollection, id, field })

/** The path below which vendors reach connections. */
export const webhookPath = '/api/channels/webhook'

/** The members that are stored sealed. */
export const secretNames = ({ connection }: Pick<Channel, 'connection'>): readonly string[] =>
  Object.entries(connection.properties).flatMap(([name, schema]) => ((schema as JsonObject)['x-secret'] === true ? [name] : []))

/**
 * Members as a person entered them, checked against the form of the channel, in two parts: what may be
 * shown, and what is sealed. @throws `invalid_request` with each problem, never with a value.
 */
export function splitMembers(
  channel: Pick<Channel, 'connection'>,
  given: JsonObject,
): { readonly open: JsonObject; readonly secret: JsonObject } {
  const problems: Problem[] = validate(channel.connection, given).map(({ path, message }) => ({
    path: `/members${path === '/' ? '' : path}`,
    message,
  }))
  if (Buffer.byteLength(JSON.stringify(given)) > maxMembersBytes)
    problems.push({ path: '/members', message: `must have at most ${maxMembersBytes} bytes of JSON` })
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
  const names = new Set(secretNames(channel))
  const part = (secret: boolean): JsonObject => Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name) === secret))
  return { open: part(false), secret: part(true) }
}

export const sealSecrets = ({ sealedFields }: Pick<ChannelParts, 'sealedFields'>, id: string, secrets: JsonObject): Promise<string> =>
  sealedFields.seal(JSON.stringify(secrets), placeOf(id, 'secrets'))

export const sealWebhookKey = ({ sealedFields }: Pick<ChannelParts, 'sealedFields'>, id: string, key: string): Promise<string> =>
  sealedFields.seal(key, placeOf(id, 'webhook_key'))

/** The address at which the vendor reaches a connection. Who has it can knock; the channel verifies what comes. */
export async function webhookUrlOf(
  { sealedFields, urls }: Pick<ChannelParts, 'sealedFields' | 'urls'>,
  { id, webhook_key: key }: Pick<Connection, 'id' | 'webhook_key'>,
): Promise<string> {
  return urls.external(`${webhookPath}/${id}/${await sealedFields.open(key, placeOf(id, 'webhook_key'))}`)
}

/** The connection as its channel gets it, and the values that no error may show. */
export interface OpenConnection {
  readonly connection: ChannelConnection
  readonly hidden: readonly string[]
}

/** @throws `secret_unreadable`. */
export async function openConnection(
  parts: Pick<ChannelParts, 'sealedFields' | 'secrets' | 'urls'>,
  stored: Connection,
  channel: Channel,
): Promise<OpenConnection> {
  const secrets = JSON.parse(await parts.sealedFields.open(stored.secrets, placeOf(stored.id, 'secrets'))) as JsonObject
  const hidden = Object.values(secrets).filter((value) => typeof value === 'string')
  for (const value of hidden) parts.secrets.protect(value)
  const connection: ChannelConnection = {
    ...{ id: stored.id, origin: stored.user_id === null ? 'system' : 'user', members: { ...stored.members, ...secrets } },
    ...(channel.supports.webhook && { webhookUrl: await webhookUrlOf(parts, stored) }),
  }
  return { connection, hidden }
}
