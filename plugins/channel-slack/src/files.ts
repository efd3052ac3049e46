import { readBytes, signalWithin, untilAborted } from '@agent-service/sdk/async'
import { callVendor, channelHttpFailure, valuesOf } from '@agent-service/sdk/channels'
import { type ChannelAttachment, type ChannelFile, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { type SlackApi, unreadable } from './api.js'
import { rejected, slack } from './refusals.js'

/** The largest file that is sent, in bytes: it is held in memory while it is sent. */
export const maxFileBytes = 25 * 1_048_576

/** A file may take so long, in milliseconds. */
const transferMs = 300_000

/** How files are reached. */
export interface FileAccess {
  readonly api: SlackApi
  readonly token: string
}

/** Uploads a file, which no one sees yet. Returns its id at Slack. */
export async function uploadFile({ api, token }: FileAccess, file: ChannelFile, signal: AbortSignal): Promise<string> {
  const call = { channel: slack, signal, limitMs: transferMs }
  const tooLarge = (): Error => rejected(`a file has more than ${maxFileBytes} bytes`)
  const bytes = await callVendor((within) => readBytes(file.bytes, { maxBytes: maxFileBytes, signal: within, tooLarge }), call)
  if (bytes.length === 0) throw rejected('a file is empty')
  const parameters = { filename: file.name, length: String(bytes.length) }
  const place = await api.call('files.getUploadURLExternal', parameters, { token, signal, single: true, scope: 'files:write' })
  const { file_id: id } = place
  if (typeof id !== 'string') throw unreadable(false)
  const url = api.addressOf(place['upload_url'], 'page')
  await callVendor(async (within) => {
    const headers = { 'content-type': 'application/octet-stream' }
    const { status, body } = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: bytes, signal: within })
    await body?.cancel()
    if (status !== 200) throw channelHttpFailure({ channel: slack, status })
  }, call)
  return id
}

/** The content of a file that someone sent. */
export async function* downloadFile(
  { api, token }: FileAccess,
  { id }: ChannelAttachment,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted()
  const answer = await api.call('files.info', { file: id }, { token, signal, single: true, scope: 'files:read' })
  const file = valuesOf(answer['file'])
  if (typeof file['url_private_download'] !== 'string') throw rejected('it does not have the content of the file')
  const url = api.addressOf(file['url_private_download'], 'page')
  const within = signalWithin(transferMs, signal)
  const ask = (): Promise<Response> => fetch(url, { redirect: 'manual', headers: { authorization: `Bearer ${token}` }, signal: within })
  const response = await callVendor(ask, { channel: slack, signal, limitMs: api.limitMs })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw response.status === 429 || response.status >= 500
      ? channelHttpFailure({ channel: slack, status: response.status })
      : rejected('the file cannot be downloaded')
  }
  try {
    yield* untilAborted(response.body as AsyncIterable<Uint8Array>, within)
  } catch (cause) {
    signal.throwIfAborted()
    throw channelUnavailableError.create({ channel: slack, reason: 'the download broke off' }, { cause })
  }
}
