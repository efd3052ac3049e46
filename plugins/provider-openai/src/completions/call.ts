import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, endpointUrl, type ModelClient, type ModelPost, type Refusal } from '@agent-service/sdk/provider-kit'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { opaqueVendor } from './opaque-reasoning.js'
import { type CompletionsQuirks, readQuirks } from './quirks.js'

/** Remembers which endpoints refuse `stream_options`, so that they are asked without it from then on. */
export interface EndpointMemory {
  refusesStreamOptions(baseUrl: string): boolean
  rememberStreamOptionsRefused(baseUrl: string): void
}

/** One call of the completions protocol. Ends the upstream request when the signal is aborted or the iteration is left. */
export function callCompletions(
  request: ModelRequest,
  { signal, memory, client }: { readonly signal: AbortSignal; readonly memory: EndpointMemory; readonly client: ModelClient },
): AsyncGenerator<ModelEvent, void, undefined> {
  const quirks = readQuirks(request.connection.quirks)
  const { baseUrl } = request.connection
  return callModel(request, {
    signal,
    client,
    prepare: () => prepare(request, quirks, { streamOptions: !memory.refusesStreamOptions(baseUrl) }),
    createAssembler: () =>
      createAnswerAssembler({
        vendor: opaqueVendor(request.connection.brand, request.model),
        request,
        echoesReasoning: quirks.reasoningEcho !== undefined,
      }),
    mend({ status, text }: Refusal) {
      const isAboutOptions = (status === 400 || status === 422) && text.includes('stream_options')
      if (!isAboutOptions || memory.refusesStreamOptions(baseUrl)) return false
      memory.rememberStreamOptionsRefused(baseUrl)
      return true
    },
  })
}

function prepare(request: ModelRequest, quirks: CompletionsQuirks, options: { readonly streamOptions: boolean }): ModelPost {
  const { connection, model } = request
  return {
    url: endpointUrl(connection.baseUrl, quirks.path.replaceAll('{model}', encodeURIComponent(model)), quirks.query),
    headers: { ...quirks.headers, ...credentialOf(connection.apiKey, quirks) },
    body: JSON.stringify(buildRequestBody(request, quirks, options)),
  }
}

function credentialOf(apiKey: string | undefined, { auth }: CompletionsQuirks): Readonly<Record<string, string>> {
  if (apiKey === undefined || auth === 'none') return {}
  if (auth === 'api-key') return { 'api-key': apiKey }
  return { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` }
}
