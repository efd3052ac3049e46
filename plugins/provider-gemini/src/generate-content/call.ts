import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, endpointUrl, type ModelClient, type ModelPost, type Refusal } from '@agent-service/sdk/provider-kit'
import { credentialOf, modelPath, versionOf } from './address.js'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { failureSigns, readRefusal } from './error-body.js'
import { opaqueVendor } from './opaque-parts.js'
import { type GenerateContentQuirks, readQuirks } from './quirks.js'
import { toolNamesOf } from './wire-names.js'

/**
 * Remembers which endpoints do not support JSON Schema; they get the OpenAPI subset from then on.
 */
export interface SchemaMemory {
  knowsNoJsonSchema(baseUrl: string): boolean
  rememberNoJsonSchema(baseUrl: string): void
}

/**
 * One call of the generate-content protocol. Ends the upstream request when the signal is aborted
 * or the iteration is left.
 */
export function callGenerateContent(
  request: ModelRequest,
  { signal, memory, client }: { readonly signal: AbortSignal; readonly memory: SchemaMemory; readonly client: ModelClient },
): AsyncGenerator<ModelEvent, void, undefined> {
  const quirks = readQuirks(request.connection.quirks)
  const { baseUrl, brand } = request.connection
  return callModel(request, {
    signal,
    client,
    signs: failureSigns,
    readError: ({ text }: Refusal) => readRefusal(text),
    prepare: () => prepare(request, quirks, memory.knowsNoJsonSchema(baseUrl)),
    createAssembler: () => createAnswerAssembler({ vendor: opaqueVendor(brand, request.model), request, names: toolNamesOf(request) }),
    mend({ status, text }: Refusal) {
      const isUnknown = status === 400 && /(parameters|response)_?JsonSchema/i.test(text) && /unknown name|cannot find field/i.test(text)
      if (!isUnknown || memory.knowsNoJsonSchema(baseUrl)) return false
      memory.rememberNoJsonSchema(baseUrl)
      return true
    },
  })
}

function prepare(request: ModelRequest, quirks: GenerateContentQuirks, openApiOnly: boolean): ModelPost {
  const { connection, model, stream } = request
  const path = `${versionOf(connection.baseUrl)}/${modelPath(model)}`
  return {
    url: stream
      ? endpointUrl(connection.baseUrl, `${path}:streamGenerateContent`, { alt: 'sse' })
      : endpointUrl(connection.baseUrl, `${path}:generateContent`),
    headers: { ...quirks.headers, ...credentialOf(connection.apiKey, quirks) },
    body: JSON.stringify(buildRequestBody(request, { quirks, openApiOnly })),
  }
}
