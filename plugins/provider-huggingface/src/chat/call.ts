import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callModel,
  createCompletionsAssembler,
  createToolNames,
  endpointUrl,
  type FailureSign,
  type ModelClient,
  type ToolNameRule,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { buildRequestBody } from './build-request.js'
import type { EndpointMemory } from './endpoint-memory.js'
import { opaqueVendor } from './opaque-vendor.js'

/**
 * One call of chat at Hugging Face. Ends the upstream request when the signal is aborted or the
 * iteration is left.
 */
export function callChat(
  request: ModelRequest,
  { signal, client, memory }: { readonly signal: AbortSignal; readonly client: ModelClient; readonly memory: EndpointMemory },
): AsyncGenerator<ModelEvent, void, undefined> {
  const { baseUrl, apiKey, brand, quirks } = request.connection
  const names = createToolNames(
    request.tools.map((tool) => tool.name),
    toolNameRule,
  )
  return callModel(request, {
    signal,
    client,
    signs: huggingFaceSigns,
    prepare: () => ({
      url: endpointUrl(baseUrl, /\/v\d+\/*$/.test(baseUrl) ? '/chat/completions' : '/v1/chat/completions'),
      headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
      body: JSON.stringify(buildRequestBody(request, names, { streamOptions: !memory.refusesStreamOptions(baseUrl) })),
    }),
    createAssembler: () =>
      createCompletionsAssembler({
        vendor: opaqueVendor(brand, request.model),
        request,
        echoesReasoning: textAt(quirks, 'reasoning_echo') === 'reasoning_content',
        ownName: names.own,
        signs: huggingFaceSigns,
      }),
    mend({ status, text }) {
      const isAboutOptions = (status === 400 || status === 422) && text.includes('stream_options')
      if (!isAboutOptions || memory.refusesStreamOptions(baseUrl)) return false
      memory.rememberRefusal(baseUrl)
      return true
    },
  })
}

/** Signs of failures that only Hugging Face has. */
const huggingFaceSigns: readonly FailureSign[] = [
  { failure: 'quota_exceeded', text: /monthly included credits|pre-paid credits|subscribe to pro/i },
  { failure: 'model_not_found', codes: ['model_not_supported'] },
  { failure: 'model_not_found', text: /not supported by (any )?provider|is not a chat model/i, statuses: [400, 404, 422] },
  // Kinds of the text-generation server.
  { failure: 'overloaded', codes: ['overloaded', 'generation', 'incomplete_generation'] },
]

/** Tool names that every provider behind the router accepts. */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }
