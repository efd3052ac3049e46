import {
  type ProviderAdapter,
  type ProviderAdapterSupport,
  type ProviderProtocol,
  supportOf,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { unknownSettings } from './call-settings.js'
import { reaches } from './readable-files.js'
import { partsOf } from './request-parts.js'

/** A part of a request that a model cannot be sent. */
export interface UnsupportedPart {
  /** The member of the request, in the names of chat completions. */
  readonly param: string
  /** What it is, for a sentence. */
  readonly what: string
}

/**
 * The first part of a request that the adapter does not support in a protocol; `undefined` if it
 * supports everything.
 */
export function unsupportedBy(
  adapter: ProviderAdapter,
  protocol: ProviderProtocol,
  request: InferenceRequest,
): UnsupportedPart | undefined {
  const supports = supportOf(adapter, protocol.id)
  const unsupported = (param: string, what: string): UnsupportedPart => ({ param, what })
  if (!supports.tools && request.tools.length > 0) return unsupported('tools', 'tools')
  const messages = unsupportedMessage(supports, request)
  if (messages !== undefined) return unsupported('messages', messages)
  if (!supports.structuredOutput && request.responseSchema !== undefined) return unsupported('response_format', 'a schema for the answer')
  if (supports.strictSchemas !== true && request.responseSchema?.strict === true)
    return unsupported('response_format', 'a schema that is enforced (strict)')
  if (supports.jsonObject !== true && request.jsonObject === true) return unsupported('response_format', 'the format json_object')
  if (supports.strictTools !== true && request.tools.some(({ strict }) => strict === true))
    return unsupported('tools', 'tools whose arguments are enforced (strict)')
  if (supports.parallelToolCalls !== true && request.parallelToolCalls === false && request.tools.length > 0)
    return unsupported('parallel_tool_calls', 'a limit of one tool call in an answer')
  const chooses = request.tools.length > 0 && request.toolChoice !== undefined && request.toolChoice !== 'auto'
  if (request.exact === true && !supports.toolChoice && chooses && request.toolChoice !== 'none')
    return unsupported('tool_choice', 'a choice of tools')
  if (supports.logprobs !== true && request.logprobs !== undefined) return unsupported('logprobs', 'log probabilities')
  if (supports.logitBias !== true && request.logitBias !== undefined) return unsupported('logit_bias', 'logit_bias')
  const [setting] = request.exact === true ? unknownSettings(request.settings, protocol) : []
  return setting === undefined ? undefined : unsupported(setting, setting)
}

function unsupportedMessage(supports: ProviderAdapterSupport, request: InferenceRequest): string | undefined {
  if (supports.messageNames !== true && request.messages.some((message) => 'name' in message && message.name !== undefined))
    return 'names of participants (name)'
  for (const part of partsOf(request)) {
    if (part.type === 'image' && !supports.images) return 'images'
    if (part.type === 'image' && supports.imageDetail !== true && part.detail !== undefined && part.detail !== 'auto')
      return 'the detail of images (detail)'
    if (part.type !== 'file') continue
    if (reaches(part, supports.files)) continue
    return supports.files === false ? 'files' : 'files other than text (a PDF, a file at an address)'
  }
  return undefined
}
