import type { ModelEvent, ModelRequest } from '../contracts/provider-adapter/index.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { type Exchange, sendExchange, translateFailure } from './exchange.js'
import { type AnswerProgress, readStreamedAnswer, readWholeAnswer } from './read-answer.js'
import { createEventStreamReader } from './streams/event-stream.js'
import { createJsonLinesReader } from './streams/json-lines.js'
import type { StreamReader } from './streams/stream-reader.js'
import { startDeadline } from './transport/deadline.js'
import type { UpstreamResponse } from './transport/upstream-response.js'

/** The parts of one call of a protocol. */
export interface ModelCall extends Exchange {
  /** Makes the assembler of the answer; once for a call. */
  createAssembler(): AnswerAssembler
  /**
   * Framings of streamed answers by content type, beside those that are always there: server-sent
   * events and lines of JSON.
   */
  readonly streams?: Readonly<Record<string, () => StreamReader>>
}

/**
 * One call of a model over HTTP, with everything that protocols share: deadlines, cancelling,
 * framing by content type, cut answers, refusals, errors without keys. Ends the upstream request
 * when the signal is aborted or the iteration is left.
 * @throws provider errors only; an abort throws the signal's reason.
 */
export async function* callModel(request: ModelRequest, call: ModelCall): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = call
  signal.throwIfAborted()
  const deadline = startDeadline(request.timeouts, signal)
  const progress: AnswerProgress = { wholeAnswerRead: false }
  try {
    const response = await sendExchange(request, call, deadline)
    const createReader = readerOf(response, call)
    const assembler = call.createAssembler()
    const means = { response, assembler, deadline, progress, onePiece: request.stream && createReader === undefined }
    const answer = createReader ? readStreamedAnswer(createReader(), means) : readWholeAnswer(means)
    for await (const events of answer) {
      for (const event of events) yield event
    }
  } catch (error) {
    throw translateFailure(error, request, call, deadline)
  } finally {
    deadline.close(progress)
  }
}

/** By content type; a body of another type is read whole. */
function readerOf(response: UpstreamResponse, { streams }: ModelCall): (() => StreamReader) | undefined {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/event-stream') return createEventStreamReader
  if (type === 'application/x-ndjson' || type === 'application/jsonl') return createJsonLinesReader
  return streams && Object.hasOwn(streams, type) ? streams[type] : undefined
}
