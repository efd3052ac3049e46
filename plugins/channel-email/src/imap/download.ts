import { abortable, signalWithin, untilAborted } from '@agent-service/sdk/async'
import {
  type ChannelAttachment,
  channelErrorKindOf,
  channelRejectedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import type { ImapFlow } from 'imapflow'
import { mailServer } from '../connection/failures.js'
import { hasFile } from '../incoming/structure.js'

/** Larger files are not read. */
const maxBytes = 50 * 1_048_576
const downloadMs = 180_000

/** The content of an attachment, read from the mailbox while it is taken. */
export async function* downloadFile(client: ImapFlow, { id }: ChannelAttachment, signal: AbortSignal): AsyncIterable<Uint8Array> {
  signal.throwIfAborted()
  const within = signalWithin(downloadMs, signal)
  let size = 0
  try {
    const [, uidValidity, uid = '', part = ''] = /^(\d{1,20})\/(\d{1,10})\/(\d{1,5}(?:\.\d{1,5}){0,40})$/.exec(id) ?? []
    if (client.mailbox === false || uidValidity !== String(client.mailbox.uidValidity)) throw gone()
    const mail = await abortable(() => client.fetchOne(uid, { uid: true, bodyStructure: true }, { uid: true }), within)
    if (mail === false || !hasFile(mail.bodyStructure, part)) throw gone()
    const { content } = await abortable(() => client.download(uid, part, { uid: true, decodeText: false }), within)
    if (content === undefined) throw gone()
    for await (const piece of untilAborted(content as AsyncIterable<Uint8Array>, within)) {
      size += piece.byteLength
      if (size > maxBytes) throw channelRejectedError.create({ channel: mailServer, reason: 'the file is larger than 50 MiB' })
      yield piece
    }
  } catch (error) {
    signal.throwIfAborted()
    if (channelErrorKindOf(error) !== 'unknown') throw error
    throw channelUnavailableError.create({ channel: mailServer, reason: 'the file could not be read to its end' }, { cause: error })
  }
}

const gone = (): Error => channelRejectedError.create({ channel: mailServer, reason: 'the mail with the file is gone' })
