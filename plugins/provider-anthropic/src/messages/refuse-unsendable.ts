import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'

/** What was decided about a request. */
export interface Planned {
  /** The members of the body for thinking and sampling. */
  readonly sampling: JsonObject
  /** The schema of the answer becomes a tool. */
  readonly answersByTool: boolean
}

/**
 * Refuses what this model cannot be sent and what may not be left out, before the call. @throws a
 * call failure.
 */
export function refuseUnsendable({ settings, required = [], responseSchema }: ModelRequest, { sampling, answersByTool }: Planned): void {
  const dropped = ['temperature', 'top_p', 'top_k'].find(
    (name) => required.includes(name) && settings[name] !== undefined && sampling[name] === undefined,
  )
  if (dropped !== undefined)
    throw refusal(`${dropped} cannot be sent beside thinking or beside temperature here. Leave it out, or use another model group.`)
  if (answersByTool && responseSchema?.strict === true)
    throw refusal('This model cannot enforce a schema. Leave out “strict” and check the answer, or use another model.')
}

const refusal = (reason: string): Error => callFailure({ failure: 'bad_request', retryable: false, reason })
