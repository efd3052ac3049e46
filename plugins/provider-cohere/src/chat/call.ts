import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callModel,
  createToolNames,
  endpointUrl,
  type ModelClient,
  type ModelPost,
  type ToolNameRule,
  type ToolNames,
} from '@agent-service/sdk/provider-kit'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { cohereSigns } from './failure-signs.js'
import { opaqueVendor } from './opaque-reasoning.js'

/**
 * One call of Cohere chat. Ends the upstream request when the signal is aborted or the iteration is
 * left.
 */
export function callChat(
  request: ModelRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): AsyncGenerator<ModelEvent, void, undefined> {
  const names = createToolNames(
    request.tools.map((tool) => tool.name),
    toolNameRule,
  )
  return callModel(request, {
    signal,
    client,
    signs: cohereSigns,
    prepare: () => prepare(request, names),
    createAssembler: () =>
      createAnswerAssembler({ vendor: opaqueVendor(request.connection.brand, request.model), request, ownName: names.own }),
  })
}

function prepare(request: ModelRequest, names: ToolNames): ModelPost {
  const { baseUrl, apiKey } = request.connection
  return {
    // The address of a proxy often contains the version.
    url: endpointUrl(baseUrl, /\/v2\/*$/.test(baseUrl) ? '/chat' : '/v2/chat'),
    headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
    body: JSON.stringify(buildRequestBody(request, names)),
  }
}

/**
 * Letters, digits and underscores, no digit first: what Cohere's documentation of tools asks for.
 */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_]/g, maxLength: 64, start: /^[A-Za-z_]/ }
