import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, createToolNames, endpointUrl, type ModelClient, type ToolNameRule } from '@agent-service/sdk/provider-kit'
import { rootOf } from './address.js'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { ollamaSigns } from './failure-signs.js'
import { explainRefusedConnections } from './refused-connection.js'

/**
 * One call of Ollama chat. Ends the upstream request when the signal is aborted or the iteration is
 * left.
 */
export function callChat(
  request: ModelRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): AsyncGenerator<ModelEvent, void, undefined> {
  const { baseUrl, apiKey } = request.connection
  const root = rootOf(baseUrl)
  const names = createToolNames(
    request.tools.map((tool) => tool.name),
    toolNameRule,
  )
  const body = buildRequestBody(request, names)
  return callModel(request, {
    signal,
    client: explainRefusedConnections(client, root),
    signs: ollamaSigns,
    prepare: () => ({
      url: endpointUrl(root, '/api/chat'),
      headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
      body: JSON.stringify(body),
    }),
    createAssembler: () => createAnswerAssembler({ request, body, ownName: names.own }),
  })
}

/** Tool names that the templates of all models support. */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }
