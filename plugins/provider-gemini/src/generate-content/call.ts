import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, endpointUrl, type ModelClient, type ModelPost, type Refusal } from '@agent-service/sdk/provider-kit'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { failureSigns, readRefusal } from './error-body.js'
import { opaqueVendor } from './opaque-parts.js'
import { type GenerateContentQuirks, readQuirks } from './quirks.js'
import { toolNamesOf } from './wire-names.js'

/** Remembers which endpoints know no JSON Schema, so that they get the subset of OpenAPI from then on. */
export interface SchemaMemory {
  knowsNoJsonSchema(baseUrl: string): boolean
  rememberNoJsonSchema(baseUrl: string): void
}

/** One call of the generate-content protocol. Ends the upstream request when the signal is aborted or the iteration is left. */
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

/** The version part, where the address has none; addresses of a cloud project have it before the project. */
const versionOf = (baseUrl: string): string => (/\/v\d+((alpha|beta)\d*)?(\/|$)/.test(baseUrl) ? '' : '/v1beta')

/** A model may be named with its collection: `models/x`, `tunedModels/x`. */
function modelPath(model: string): string {
  const path = model.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
  return /^(models|tunedModels|publishers|projects)\//.test(path) ? path : `models/${path.replaceAll('/', '%2F')}`
}

function credentialOf(apiKey: string | undefined, { auth }: GenerateContentQuirks): Readonly<Record<string, string>> {
  if (apiKey === undefined || auth === 'none') return {}
  const token = apiKey.replace(/^Bearer\s+/i, '')
  // Tokens of the cloud's own sign-in begin so.
  const isToken = auth === 'bearer' || token !== apiKey || token.startsWith('ya29.')
  return isToken ? { authorization: `Bearer ${token}` } : { 'x-goog-api-key': apiKey }
}
