import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ImagePart, ModelRequest, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'
import { isReadable } from './content-blocks.js'

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
export function refuseUnsendable(
  { settings, messages, required = [], responseSchema }: ModelRequest,
  { sampling, answersByTool }: Planned,
): void {
  const dropped = ['temperature', 'top_p', 'top_k'].find(
    (name) => required.includes(name) && settings[name] !== undefined && sampling[name] === undefined,
  )
  if (dropped !== undefined)
    throw refusal(`${dropped} cannot be sent beside thinking or beside temperature here. Leave it out, or use another model group.`)
  const insists = required.includes('images') || required.includes('files')
  const unreadable = insists ? shownParts(messages).find((part) => part.type !== 'text' && !isReadable(part)) : undefined
  if (unreadable && unreadable.type !== 'text')
    throw refusal(`This model cannot read content of the type ${unreadable.media_type}. Leave it out, or send it in another form.`)
  if (answersByTool && responseSchema?.strict === true)
    throw refusal('This model cannot enforce a schema. Leave out “strict” and check the answer, or use another model.')
}

/** The parts that a person or a tool shows. */
const shownParts = (messages: ModelRequest['messages']): readonly (TextPart | ImagePart | FilePart)[] =>
  messages.flatMap((message) => {
    if (message.role === 'tool') return message.content.flatMap(({ content }) => content)
    return message.role === 'user' ? message.content : []
  })

const refusal = (reason: string): Error => callFailure({ failure: 'bad_request', retryable: false, reason })
