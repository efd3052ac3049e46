import { signalWithin, untilAborted } from '@agent-service/sdk/async'
import {
  type ChannelAttachment,
  channelErrorKindOf,
  channelRejectedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import type { BotApi } from './bot-api.js'
import { fieldsOf, textOf } from './fields.js'
import { telegram } from './refusals.js'

/** Telegram gives bots files of up to 20 MB. */
const maxBytes = 25 * 1_048_576
const downloadMs = 180_000

/** The content of an attachment. Its address lives for an hour, so it is asked for each time. */
export async function* download(api: BotApi, { id }: ChannelAttachment, signal: AbortSignal): AsyncIterable<Uint8Array> {
  signal.throwIfAborted()
  const within = signalWithin(downloadMs, signal)
  const path = textOf(fieldsOf(await api.call('getFile', { file_id: id }, { signal }))['file_path'])
  if (path === undefined || path.split('/').some((part) => /^\.*$/.test(part)))
    throw channelRejectedError.create({ channel: telegram, reason: 'the file is gone' })
  let size = 0
  try {
    for await (const piece of untilAborted(await api.open(path, { signal: within }), within)) {
      size += piece.byteLength
      if (size > maxBytes) throw channelRejectedError.create({ channel: telegram, reason: 'the file is too large' })
      yield piece
    }
  } catch (error) {
    signal.throwIfAborted()
    if (channelErrorKindOf(error) !== 'unknown') throw error
    throw channelUnavailableError.create({ channel: telegram, reason: 'the file could not be read to its end' }, { cause: error })
  }
}
