import { randomBytes } from 'node:crypto'
import {
  type ChannelButton,
  type ChannelDelivery,
  type ChannelEdit,
  type ChannelFile,
  type ChannelReceipt,
  channelErrorKindOf,
  channelOutcomeUnknownError,
  channelRejectedError,
} from '@agent-service/sdk/contracts/channel'
import { messageIdOf, messageNumberOf, placeOf, targetOf } from './addresses.js'
import type { BotApi, BotApiBody } from './bot-api.js'
import { type Fields, fieldsOf, integerOf } from './fields.js'
import { type FormattedText, formattedText } from './formatted-text.js'
import { telegram } from './refusals.js'

/** What goes out. Each is tried once. */
export interface Sending {
  send(delivery: ChannelDelivery, signal: AbortSignal): Promise<ChannelReceipt>
  edit(edit: ChannelEdit, signal: AbortSignal): Promise<void>
  typing(conversationId: string, signal: AbortSignal): Promise<void>
}

/** The longest text below a file; a longer one is a message before it. */
const maxCaption = 1_024

/** 50 MB take this long on a slow line. */
const uploadMs = 180_000

export const createSending = (api: BotApi): Sending => ({
  async send(delivery, signal) {
    const { conversationId, attachments = [] } = delivery
    const place = placeOf(conversationId)
    const text = formattedText(delivery.text)
    const [file] = attachments
    const target = { ...targetOf(place), ...replyOf(delivery.replyTo) }
    const message = { ...target, ...textParameters(text), ...buttonsOf(delivery.buttons) }
    const receiptOf = (result: unknown): ChannelReceipt => {
      const number = integerOf(fieldsOf(result)['message_id'])
      if (number === undefined) throw channelOutcomeUnknownError.create({ channel: telegram, reason: 'its answer cannot be read' })
      return { id: messageIdOf(place.chat, number) }
    }
    if (file === undefined) return receiptOf(await api.call('sendMessage', message, { signal, sending: true }))
    if (text.text.length <= maxCaption) {
      const caption = { ...target, caption: text.text, caption_entities: text.entities, ...buttonsOf(delivery.buttons) }
      return receiptOf(await upload(api, caption, file, signal))
    }
    const receipt = receiptOf(await api.call('sendMessage', message, { signal, sending: true }))
    try {
      await upload(api, targetOf(place), file, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (channelErrorKindOf(error) === 'rejected') throw error
      // The text is there: to send both again would double it.
      throw channelOutcomeUnknownError.create({ channel: telegram, reason: 'the text was sent, the file was not' }, { cause: error })
    }
    return receipt
  },
  async edit({ id, conversationId, text, buttons }, signal) {
    const [place, number] = [placeOf(conversationId), messageNumberOf(id)]
    if (number === undefined) throw channelRejectedError.create({ channel: telegram, reason: 'there is no such message' })
    const message = { chat_id: place.chat, message_id: number, ...textParameters(formattedText(text)), ...buttonsOf(buttons) }
    await api.call('editMessageText', message, { signal, sending: true })
  },
  async typing(conversationId, signal) {
    await api.call('sendChatAction', { ...targetOf(placeOf(conversationId)), action: 'typing' }, { signal })
  },
})

/** Without a preview: Telegram would open addresses that a model has written, which tells others what is in them. */
const textParameters = ({ text, entities }: FormattedText): Fields => ({ text, entities, link_preview_options: { is_disabled: true } })

function replyOf(id: string | undefined): Fields {
  const number = id === undefined ? undefined : messageNumberOf(id)
  return number === undefined ? {} : { reply_parameters: { message_id: number, allow_sending_without_reply: true } }
}

/** Each button in a line of its own: labels of a few words are cut off beside others. */
const buttonsOf = (buttons: readonly ChannelButton[] = []): Fields =>
  buttons.length === 0
    ? {}
    : { reply_markup: { inline_keyboard: buttons.map(({ label, value }) => [{ text: label, callback_data: value }]) } }

/** Sends a file as it is: pictures too, which Telegram would make smaller. It is read while it is sent. */
async function upload(api: BotApi, parameters: Fields, file: ChannelFile, signal: AbortSignal): Promise<unknown> {
  let unreadable: { readonly cause: unknown } | undefined
  const watched = async function* (): AsyncIterable<Uint8Array> {
    try {
      yield* file.bytes
    } catch (cause) {
      unreadable = { cause }
      throw cause
    }
  }
  try {
    const body = formOf({ ...parameters, disable_content_type_detection: true }, file, watched())
    return await api.call('sendDocument', body, { signal, sending: true, limitMs: uploadMs })
  } catch (error) {
    signal.throwIfAborted()
    // Telegram takes no message whose end is missing.
    if (unreadable !== undefined) throw channelRejectedError.create({ channel: telegram, reason: 'the file cannot be read' }, unreadable)
    throw error
  }
}

/** A form with the file as its last field (RFC 7578). */
function formOf(parameters: Fields, { name, mediaType, size }: ChannelFile, bytes: AsyncIterable<Uint8Array>): BotApiBody {
  const boundary = `form-${randomBytes(16).toString('hex')}`
  const fields = Object.entries(parameters).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${text}\r\n`
  })
  const safeName = name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream'
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="document"; filename="${safeName}"\r\nContent-Type: ${type}\r\n\r\n`
  const [before, after] = [Buffer.from(`${fields.join('')}${opening}`), Buffer.from(`\r\n--${boundary}--\r\n`)]
  const content = async function* (): AsyncIterable<Uint8Array> {
    yield before
    yield* bytes
    yield after
  }
  return { type: `multipart/form-data; boundary=${boundary}`, length: before.length + size + after.length, content: content() }
}
