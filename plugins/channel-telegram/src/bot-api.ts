import { readText } from '@agent-service/sdk/async'
import { callVendor } from '@agent-service/sdk/channels'
import { channelOutcomeUnknownError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { type Fields, fieldsOf } from './fields.js'
import { failureOf, telegram } from './refusals.js'

/** How a method is called. */
export interface BotApiCall {
  readonly signal: AbortSignal
  /** Whether a message is sent: then a call that breaks has an unknown outcome. Default false. */
  readonly sending?: boolean
  /** The longest wait, in milliseconds. Default: that of the API. */
  readonly limitMs?: number
}

/** A body that is no JSON: its type, its length, and its content, which is read once. */
export interface BotApiBody {
  readonly type: string
  readonly length: number
  readonly content: AsyncIterable<Uint8Array>
}

/** The Bot API with one token, which stands in every address: no address is in an error. */
export interface BotApi {
  /** Calls a method and returns its `result`. @throws the errors of the contract, or the signal's reason. */
  call(method: string, parameters: Fields | BotApiBody, options: BotApiCall): Promise<unknown>
  /** Opens the content of a file, whose path is of `getFile`. It ends with the signal. */
  open(filePath: string, options: { readonly signal: AbortSignal }): Promise<AsyncIterable<Uint8Array>>
}

/** More than Telegram sends in a batch. */
const maxAnswerBytes = 32 * 1_048_576

/** Makes the API. `root` is `https://api.telegram.org` but in tests. */
export function createBotApi({
  root,
  token,
  limits,
}: {
  readonly root: string
  readonly token: string
  readonly limits: { readonly answerMs: number }
}): BotApi {
  let wasAccepted = false
  return {
    call(method, parameters, { signal, sending = false, limitMs = limits.answerMs }) {
      const ask = async (until: AbortSignal): Promise<unknown> => {
        const answer = await fetch(`${root}/bot${token}/${method}`, { ...requestOf(parameters), redirect: 'manual', signal: until })
        const content = answer.body === null ? '' : await readText(answer.body, { maxBytes: maxAnswerBytes, signal: until })
        const body = fieldsOf(parsed(content))
        if (answer.ok && body['ok'] === true) {
          wasAccepted = true
          return body['result']
        }
        if (!answer.ok) throw failureOf({ status: answer.status, body, sending, wasAccepted })
        const definition = sending ? channelOutcomeUnknownError : channelUnavailableError
        throw definition.create({ channel: telegram, reason: 'its answer cannot be read' })
      }
      return callVendor(ask, { channel: telegram, signal, limitMs, sending })
    },
    open(filePath, { signal }) {
      const ask = async (): Promise<AsyncIterable<Uint8Array>> => {
        const path = filePath.split('/').map(encodeURIComponent).join('/')
        const answer = await fetch(`${root}/file/bot${token}/${path}`, { redirect: 'manual', signal })
        if (answer.ok && answer.body !== null) return answer.body
        await answer.body?.cancel()
        throw failureOf({ status: answer.status, body: {}, sending: false, wasAccepted })
      }
      return callVendor(ask, { channel: telegram, signal, limitMs: limits.answerMs })
    },
  }
}

function requestOf(parameters: Fields | BotApiBody): RequestInit {
  if (!isBody(parameters)) {
    const headers = { 'content-type': 'application/json' }
    return { method: 'POST', headers, body: JSON.stringify(parameters) }
  }
  const { type, length, content } = parameters
  const headers = { 'content-type': type, 'content-length': String(length) }
  return { method: 'POST', headers, body: ReadableStream.from(content), duplex: 'half' } as RequestInit
}

const isBody = (parameters: Fields | BotApiBody): parameters is BotApiBody =>
  typeof parameters['content'] === 'object' && typeof parameters['length'] === 'number'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says what it is: an answer that cannot be read, or a failure whose status says enough.
    return undefined
  }
}
