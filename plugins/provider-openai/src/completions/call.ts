import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { classifyFailure } from '../failures/classify.js'
import { readErrorText } from '../failures/error-body.js'
import { failed, isFailedCall } from '../failures/failed-call.js'
import { toProviderError } from '../failures/to-error.js'
import type { ConnectionPools } from '../transport/connection-pools.js'
import { type CallDeadline, startDeadline } from '../transport/deadline.js'
import { readText } from '../transport/read-text.js'
import { send } from '../transport/send.js'
import type { UpstreamResponse } from '../transport/upstream-response.js'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { opaqueVendor } from './opaque-reasoning.js'
import { type CompletionsQuirks, readQuirks } from './quirks.js'
import { type AnswerProgress, readEventAnswer, readJsonAnswer } from './read-answer.js'

/** The largest error body that is read, in bytes. */
const errorBodyLimit = 64 * 1024

/** Remembers which endpoints refuse `stream_options`, so that they are asked without it from then on. */
export interface EndpointMemory {
  refusesStreamOptions(baseUrl: string): boolean
  rememberStreamOptionsRefused(baseUrl: string): void
}

/** One call of the completions protocol. Ends the upstream request when the signal is aborted or the iteration is left. */
export async function* callCompletions(
  request: ModelRequest,
  options: { readonly signal: AbortSignal; readonly memory: EndpointMemory; readonly pools: ConnectionPools },
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal, memory, pools } = options
  signal.throwIfAborted()
  const quirks = readQuirks(request.connection.quirks)
  const deadline = startDeadline(request.timeouts, signal)
  const progress: AnswerProgress = { wholeAnswerRead: false }
  try {
    const response = await sendRequest(request, quirks, { deadline, pools, memory })
    const assembler = createAnswerAssembler({
      vendor: opaqueVendor(request.connection.brand, request.model),
      inputCharacters: () => charactersOf(request),
      echoesReasoning: quirks.reasoningEcho !== undefined,
    })
    const read = isEventStream(response) ? readEventAnswer : readJsonAnswer
    for await (const events of read(response, assembler, deadline, progress)) {
      for (const event of events) yield event
    }
  } catch (error) {
    throw translate(error, request, deadline, signal)
  } finally {
    deadline.close(progress)
  }
}

/** Sends the request, once more without `stream_options` where an endpoint refuses that. @throws what an error status says. */
async function sendRequest(
  request: ModelRequest,
  quirks: CompletionsQuirks,
  means: { readonly deadline: CallDeadline; readonly pools: ConnectionPools; readonly memory: EndpointMemory },
): Promise<UpstreamResponse> {
  const { deadline, memory } = means
  const { baseUrl } = request.connection
  const streamOptions = request.stream && quirks.streamOptions && !memory.refusesStreamOptions(baseUrl)
  const attempt = async (withStreamOptions: boolean): Promise<UpstreamResponse> => {
    const result = await send(request, quirks, buildRequestBody(request, quirks, { streamOptions: withStreamOptions }), means)
    if ('failed' in result) throw failed(result.failed, result.cause)
    const { response } = result
    if (response.status >= 200 && response.status < 300) return response
    const { text } = await readText(response, deadline, errorBodyLimit)
    if (withStreamOptions && (response.status === 400 || response.status === 422) && text.includes('stream_options')) {
      memory.rememberStreamOptionsRefused(baseUrl)
      return await attempt(false)
    }
    throw failed(failureOf(response, text))
  }
  return await attempt(streamOptions)
}

function failureOf(response: UpstreamResponse, text: string) {
  if (response.status >= 300 && response.status < 400) {
    const target = response.headers.get('location') ?? 'elsewhere'
    return {
      failure: 'bad_request',
      retryable: false,
      httpStatus: response.status,
      reason: `The endpoint redirects to ${target}. Set base_url to the final address.`,
    } as const
  }
  return classifyFailure({ status: response.status, headers: response.headers, body: readErrorText(text), now: Date.now() })
}

/** By content type, whatever was asked; a body of another type is read whole. */
const isEventStream = (response: UpstreamResponse): boolean =>
  response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream'

function translate(error: unknown, request: ModelRequest, deadline: CallDeadline, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (deadline.expired !== undefined) {
    return toProviderError({ failure: 'timeout', retryable: true, reason: `${capitalise(deadline.expired)}.` }, request, error)
  }
  if (isFailedCall(error)) return toProviderError(error.report, request, error.cause)
  const reason = error instanceof Error ? error.message : String(error)
  return toProviderError(
    { failure: 'invalid_response', retryable: false, reason: `The answer could not be read: ${reason}` },
    request,
    error,
  )
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function charactersOf(request: ModelRequest): number {
  const texts = request.messages.flatMap((message) =>
    message.content.map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text.length
      if (part.type === 'tool_call') return JSON.stringify(part.arguments).length
      return part.type === 'tool_result' ? part.content.reduce((sum, entry) => sum + (entry.type === 'text' ? entry.text.length : 0), 0) : 0
    }),
  )
  return texts.reduce((sum, length) => sum + length, 0)
}
