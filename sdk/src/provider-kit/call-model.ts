import type { ModelEvent, ModelRequest } from '../contracts/provider-adapter/index.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { type Exchange, sendExchange, translateFailure } from './exchange.js'
import { type AnswerProgress, readAnswer } from './read-answer.js'
import { createAnswerReader } from './streams/answer-reader.js'
import type { StreamReader } from './streams/stream-reader.js'
import { startDeadline } from './transport/deadline.js'

/** The parts of one call of a protocol. */
export interface ModelCall extends Exchange {
  /** Makes the assembler of the answer; once for a call. */
  createAssembler(): AnswerAssembler
  /**
   * Framings of streamed answers by content type, beside those that are always there and recognised
   * by their first bytes: server-sent events, lines of JSON, a list, documents one after the other.
   */
  readonly streams?: Readonly<Record<string, () => StreamReader>>
}

/**
 * One call of a model over HTTP, with everything that protocols share: deadlines, cancelling,
 * framing by the first bytes, cut answers, refusals, errors without keys. Ends the upstream request
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
    const reader = createAnswerReader(response.headers.get('content-type'), call.streams)
    const means = { response, assembler: call.createAssembler(), deadline, progress, failures: call, stream: request.stream }
    for await (const events of readAnswer(reader, means)) {
      for (const event of events) yield event
    }
  } catch (error) {
    throw translateFailure(error, request, call, deadline)
  } finally {
    deadline.close(progress)
  }
}
