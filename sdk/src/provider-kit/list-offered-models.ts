import type { ModelListRequest, OfferedModel } from '../contracts/provider-adapter/index.js'
import type { JsonValue } from '../core/json.js'
import { type Exchange, sendExchange, translateFailure } from './exchange.js'
import { callFailure } from './failures/call-failure.js'
import { type AnswerProgress, readWholeBody } from './read-answer.js'
import { startDeadline } from './transport/deadline.js'

/** The most models of a list that are kept. */
const maxModels = 2_000

/** An entry of a list, before it is checked. */
export interface ModelListEntry {
  /** See {@link OfferedModel.id}. */
  readonly id: string | undefined
  /** See {@link OfferedModel.name}. */
  readonly name?: string | undefined
  /** See {@link OfferedModel.contextWindow}. */
  readonly contextWindow?: number | undefined
  /** See {@link OfferedModel.maxOutputTokens}. */
  readonly maxOutputTokens?: number | undefined
  /** See {@link OfferedModel.answers}. */
  readonly answers?: boolean | undefined
  /** See {@link OfferedModel.tools}. */
  readonly tools?: boolean | undefined
}

/** What asking for the models of a connection is made of; `prepare` makes a `GET`. */
export interface ModelListCall extends Exchange {
  /**
   * Reads an answer; `undefined` for one that is not a list of models. Entries without an id are
   * left out by the kit.
   */
  read(answer: JsonValue): readonly ModelListEntry[] | undefined
}

/**
 * Asks for the models of a connection over HTTP: limits, cancelling and failures as for {@link
 * callModel}. Each id is listed once. @throws provider errors only; an abort throws the signal's
 * reason.
 */
export async function listOfferedModels(request: ModelListRequest, call: ModelListCall): Promise<readonly OfferedModel[]> {
  call.signal.throwIfAborted()
  const exchange = { ...request, model: 'the list of models', stream: false }
  const deadline = startDeadline(request.timeouts, call.signal)
  const progress: AnswerProgress = { wholeAnswerRead: false }
  try {
    const response = await sendExchange(exchange, call, deadline)
    const answer = await readWholeBody({ response, deadline, progress })
    const models = call.read(answer)
    if (models === undefined)
      throw callFailure({ failure: 'invalid_response', retryable: false, reason: 'The answer is not a list of models. Check base_url.' })
    return distinct(models)
  } catch (error) {
    throw translateFailure(error, exchange, call, deadline)
  } finally {
    deadline.close(progress)
  }
}

function distinct(entries: readonly ModelListEntry[]): readonly OfferedModel[] {
  const found = new Map<string, OfferedModel>()
  for (const { id, name, contextWindow, maxOutputTokens, answers, tools } of entries) {
    if (id === undefined || found.has(id) || found.size >= maxModels) continue
    found.set(id, {
      id,
      ...(name !== undefined && name !== id && { name }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(answers !== undefined && { answers }),
      ...(tools !== undefined && { tools }),
    })
  }
  return [...found.values()]
}
