import { type FilePart, isTextFile, type ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'
import type { CompletionsQuirks } from './quirks.js'

/**
 * Refuses what this brand cannot be sent and what may not be left out, before the call. @throws a
 * call failure.
 */
export function refuseUnsendable(request: ModelRequest, quirks: CompletionsQuirks): void {
  const { required = [], responseSchema, messages, tools, parallelToolCalls } = request
  const strictTools = tools.some(({ strict }) => strict === true)
  if (!quirks.tools && (required.includes('tools') || strictTools || (parallelToolCalls === false && tools.length > 0)))
    throw refusal('takes no tools. Leave them out, or use another model.')
  if (quirks.requiredToolChoice === 'auto' && required.includes('tool_choice') && request.toolChoice === 'required')
    throw refusal('cannot be made to call a tool. Leave out tool_choice “required”, or name one function.')
  if (quirks.content === 'text' && required.includes('images'))
    throw refusal('takes text only. Leave out the images, or use another model.')
  if (quirks.content === 'text' && required.includes('files') && filesOf(messages).some((file) => !isTextFile(file)))
    throw refusal('takes files of text only. Leave out the others, or use another model.')
  if (quirks.structuredOutput !== 'json_schema' && responseSchema?.strict === true)
    throw refusal('cannot enforce a schema. Leave out “strict” and check the answer, or use another model.')
  if (quirks.alternatingRoles && messages.some((message) => 'name' in message && message.name !== undefined))
    throw refusal('joins the messages of a role. Leave out “name”, or use another model.')
}

const filesOf = (messages: ModelRequest['messages']): readonly FilePart[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((part): readonly FilePart[] => {
      if (part.type === 'tool_result') return part.content.filter((inner) => inner.type === 'file')
      return part.type === 'file' ? [part] : []
    }),
  )

const refusal = (reason: string): Error => callFailure({ failure: 'bad_request', retryable: false, reason: `This brand ${reason}` })
