import { forwardedText, listOf, textOf, type Values, valuesOf } from '@agent-service/sdk/channels'
import type { ChannelAttachment, ChannelConversation, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import { readText } from './incoming-text.js'

/** Who the app is in its workspace. */
export interface SlackAccount {
  readonly userId: string
  readonly botId: string | undefined
}

/** Changes, deletions and what happens in a channel are messages of other kinds, which are passed over. */
const kinds: ReadonlySet<unknown> = new Set([undefined, 'file_share', 'bot_message', 'thread_broadcast', 'me_message'])

const anId = /^[A-Z0-9]{1,50}$/
const aTime = /^\d{10,11}\.\d{1,9}$/

/**
 * The message of an event of the Events API; undefined for everything else. Events of other
 * workspaces in which the same app is installed do not belong to this connection.
 */
export function messageOfEvent(body: Values, account: SlackAccount): ChannelMessage | undefined {
  const event = valuesOf(body['event'])
  if (event['type'] !== 'message' || !kinds.has(event['subtype']) || !isFor(body, account)) return undefined
  const place = placeOf(event['channel'], event['thread_ts'])
  const ts = textOf(event['ts'])
  const botId = textOf(event['bot_id'])
  const senderId = textOf(event['user']) ?? botId
  if (place === undefined || ts === undefined || !aTime.test(ts) || senderId === undefined || !anId.test(senderId)) return undefined
  if (senderId === account.userId || (botId !== undefined && botId === account.botId)) return undefined
  const { text, mentioned } = readText(textOf(event['text']) ?? '', account.userId)
  const shared = listOf(event['attachments']).map(valuesOf).filter(isShared).slice(0, 100)
  const attachments = [event, ...shared]
    .flatMap((each) => listOf(each['files']))
    .flatMap(attachmentOf)
    .slice(0, 100)
  return {
    id: `${place.channel}:${ts}`,
    conversation: place.conversation,
    sender: { id: senderId, bot: botId !== undefined || event['subtype'] === 'bot_message' || senderId === 'USLACKBOT' },
    text: [text, ...shared.map((each) => quotedOf(each, account.userId))].filter((each) => each !== '').join('\n\n'),
    at: millisecondsOf(ts),
    mentioned: place.conversation.kind === 'direct' || mentioned || event['parent_user_id'] === account.userId,
    ...(attachments.length > 0 && { attachments }),
  }
}

/** A message of another person that was shared, or stands behind a link; the previews of pages are no message. */
const isShared = (attachment: Values): boolean => attachment['is_share'] === true || attachment['is_msg_unfurl'] === true

function quotedOf(shared: Values, accountId: string): string {
  const author = lineOf(textOf(shared['author_name']))
  return forwardedText(readText(textOf(shared['text']) ?? '', accountId).text, author === '' ? undefined : author)
}

/** The message that pressing a button is; undefined for everything else, such as buttons of others. */
export function messageOfInteraction(payload: Values, account: SlackAccount): ChannelMessage | undefined {
  const message = valuesOf(payload['message'])
  const action = valuesOf(listOf(payload['actions'])[0])
  const isOwn = message['user'] === account.userId || (account.botId !== undefined && message['bot_id'] === account.botId)
  if (payload['type'] !== 'block_actions' || action['type'] !== 'button' || !isOwn) return undefined
  const place = placeOf(valuesOf(payload['channel'])['id'], message['thread_ts'])
  const senderId = textOf(valuesOf(payload['user'])['id'])
  const [value, actionTs, ts] = [textOf(action['value']), textOf(action['action_ts']), textOf(message['ts'])]
  if (place === undefined || senderId === undefined || !anId.test(senderId)) return undefined
  if (value === undefined || !/^[\w.:-]{1,60}$/.test(value) || !isTime(actionTs) || !isTime(ts)) return undefined
  return {
    id: `${place.channel}:${ts}:${senderId}:${actionTs}`,
    conversation: place.conversation,
    sender: { id: senderId, bot: false },
    text: textOf(valuesOf(action['text'])['text']) ?? '',
    at: millisecondsOf(actionTs),
    mentioned: true,
    button: value,
  }
}

/** Whether an event says that the app was removed from the workspace of the connection. */
export function isRevocation(body: Values, account: SlackAccount): boolean {
  const event = valuesOf(body['event'])
  if (event['type'] === 'app_uninstalled') return isFor(body, account)
  return event['type'] === 'tokens_revoked' && listOf(valuesOf(event['tokens'])['bot']).includes(account.userId)
}

function isFor(body: Values, account: SlackAccount): boolean {
  const authorizations = listOf(body['authorizations']).map((each) => valuesOf(each)['user_id'])
  return authorizations.length === 0 || authorizations.includes(account.userId)
}

interface Place {
  readonly channel: string
  readonly conversation: ChannelConversation
}

/** A channel, or a thread in it. Those with one person alone begin with a D. */
function placeOf(channel: unknown, thread: unknown): Place | undefined {
  if (typeof channel !== 'string' || !anId.test(channel)) return undefined
  const kind = channel.startsWith('D') ? 'direct' : 'group'
  return { channel, conversation: { id: isTime(thread) ? `${channel}:${thread}` : channel, kind } }
}

const isTime = (value: unknown): value is string => typeof value === 'string' && aTime.test(value)

const millisecondsOf = (ts: string): number => Math.round(Number(ts) * 1_000)

/** What was deleted or is over the workspace's limit has no content. */
function attachmentOf(value: unknown): readonly ChannelAttachment[] {
  const file = valuesOf(value)
  const id = textOf(file['id'])
  if (id === undefined || !anId.test(id) || file['mode'] === 'tombstone' || file['mode'] === 'hidden_by_limit') return []
  const name = lineOf(textOf(file['name']))
  const mediaType = textOf(file['mimetype'])
  const size = file['size']
  return [
    {
      id,
      ...(name !== '' && { name }),
      ...(mediaType !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mediaType) && { mediaType }),
      ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
    },
  ]
}

const lineOf = (text = ''): string => [...text.slice(0, 1_000).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, 200).join('').trim()
