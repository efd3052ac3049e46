import { forwardedText, listOf, textOf, type Values, valuesOf } from '@agent-service/sdk/channels'
import type { ChannelAttachment, ChannelMessage } from '@agent-service/sdk/contracts/channel'

/** A snowflake: an id of Discord. */
export const anId = /^\d{1,20}$/

/** Ordinary messages and answers; others say that something happened. */
const kinds: ReadonlySet<unknown> = new Set([0, 19])

/** The message of an event; undefined for the account's own, and for what is no message. */
export function messageOf(event: Values, accountId: string): ChannelMessage | undefined {
  const author = valuesOf(event['author'])
  const [id, channel, senderId] = [textOf(event['id']), textOf(event['channel_id']), textOf(author['id'])]
  if (!isId(id) || !isId(channel) || !isId(senderId) || senderId === accountId || !kinds.has(event['type'])) return undefined
  const isDirect = event['guild_id'] === undefined
  const mentions = listOf(event['mentions']).map(valuesOf)
  const referenced = valuesOf(event['referenced_message'])
  const replyTo = event['type'] === 19 ? textOf(valuesOf(event['message_reference'])['message_id']) : undefined
  const isNamed = mentions.some((each) => each['id'] === accountId) || valuesOf(referenced['author'])['id'] === accountId
  const forwarded = forwardedIn(event)
  const attachments = [event, ...forwarded]
    .flatMap((each) => listOf(each['attachments']))
    .flatMap((each) => attachmentOf(each, `${channel}/${id}`))
    .slice(0, 100)
  const text = shown(textOf(event['content']) ?? '', mentions, accountId)
  return {
    id,
    conversation: { id: channel, kind: isDirect ? 'direct' : 'group' },
    sender: { id: senderId, ...nameOf(author), bot: author['bot'] === true || event['webhook_id'] !== undefined },
    text: [text, ...forwarded.map((each) => quotedOf(each, accountId))].filter((each) => each !== '').join('\n\n'),
    at: timeOf(id),
    mentioned: isDirect || isNamed,
    ...(isId(replyTo) && { replyTo }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** The message that pressing a button is; undefined for every other interaction. */
export function messageOfInteraction(event: Values, accountId: string): ChannelMessage | undefined {
  const message = valuesOf(event['message'])
  const data = valuesOf(event['data'])
  const user = valuesOf(valuesOf(event['member'])['user'] ?? event['user'])
  const [id, channel, senderId, value] = [event['id'], event['channel_id'], user['id'], textOf(data['custom_id'])]
  if (event['type'] !== 3 || data['component_type'] !== 2 || valuesOf(message['author'])['id'] !== accountId) return undefined
  if (!isId(id) || !isId(channel) || !isId(senderId) || value === undefined || !/^[\w.:-]{1,60}$/.test(value)) return undefined
  const buttons = listOf(message['components']).flatMap((row) => listOf(valuesOf(row)['components']).map(valuesOf))
  return {
    id,
    conversation: { id: channel, kind: event['guild_id'] === undefined ? 'direct' : 'group' },
    sender: { id: senderId, ...nameOf(user), bot: false },
    text: textOf(buttons.find((each) => each['custom_id'] === value)?.['label']) ?? '',
    at: timeOf(id),
    mentioned: true,
    button: value,
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && anId.test(value)

/** The first 42 bits of a snowflake are milliseconds since 2015. */
const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + 1_420_070_400_000

function nameOf(user: Values): { readonly name?: string } {
  const name = lineOf(textOf(user['global_name']) ?? textOf(user['username']) ?? '')
  return name === '' ? {} : { name }
}

/** What a message passes on. Discord says nothing of who wrote it. */
export const forwardedIn = (event: Values): readonly Values[] =>
  listOf(event['message_snapshots']).map((each) => valuesOf(valuesOf(each)['message']))

const quotedOf = (forwarded: Values, accountId: string): string =>
  forwardedText(shown(textOf(forwarded['content']) ?? '', listOf(forwarded['mentions']).map(valuesOf), accountId))

/** Mentions as people see them, without that of the account. */
function shown(content: string, mentions: readonly Values[], accountId: string): string {
  const names = new Map(mentions.map((each) => [each['id'], lineOf(textOf(each['username']) ?? '')]))
  let isNamed = false
  const text = content.slice(0, 100_000).replace(/<@!?(\d{1,20})>( ?)/g, (_, id: string, space: string) => {
    if (id !== accountId) return `@${names.get(id) || id}${space}`
    isNamed = true
    return ''
  })
  return isNamed ? text.trim() : text
}

function attachmentOf(value: unknown, message: string): readonly ChannelAttachment[] {
  const { id, filename, content_type: type, size } = valuesOf(value)
  if (!isId(id)) return []
  const name = lineOf(textOf(filename) ?? '')
  return [
    {
      id: `${message}/${id}`,
      ...(name !== '' && { name }),
      ...(typeof type === 'string' && /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;.{0,100})?$/.test(type) && { mediaType: type }),
      ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
    },
  ]
}

const lineOf = (text: string): string => [...text.slice(0, 1_000).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, 200).join('').trim()
