import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, endpointUrl, type ModelClient, type ModelPost, type Refusal } from '@agent-service/sdk/provider-kit'
import { createAnswerAssembler } from './assemble-answer.js'
import { buildRequestBody } from './build-request.js'
import { failureSigns } from './failure-signs.js'
import { opaqueVendor } from './opaque-blocks.js'
import { type MessagesQuirks, readQuirks } from './quirks.js'
import { answerToolName } from './structured-output.js'
import { toolNamesOf } from './wire-names.js'

/**
 * Remembers which models refuse `temperature` together with `top_p`; they get `temperature` alone
 * from then on.
 */
export interface SamplingMemory {
  takesOne(model: string): boolean
  rememberTakesOne(model: string): void
}

const version = '2023-06-01'
/** The header that a signed-in person's token requires. */
const tokenBeta = 'oauth-2025-04-20'

/**
 * One call of the messages protocol. Ends the upstream request when the signal is aborted or the
 * iteration is left.
 */
export function callMessages(
  request: ModelRequest,
  { signal, memory, client }: { readonly signal: AbortSignal; readonly memory: SamplingMemory; readonly client: ModelClient },
): AsyncGenerator<ModelEvent, void, undefined> {
  const quirks = readQuirks(request.connection.quirks)
  const names = toolNamesOf(request)
  const model = `${request.connection.baseUrl} ${request.model}`
  return callModel(request, {
    signal,
    client,
    signs: failureSigns,
    prepare: () => prepare(request, quirks, memory.takesOne(model)),
    createAssembler: () =>
      createAnswerAssembler({
        vendor: opaqueVendor(request.connection.brand, request.model),
        request,
        names,
        answerTool: answerToolName(request, quirks, names),
        unsignedThinking: quirks.unsignedThinking,
      }),
    mend({ status, text }: Refusal) {
      const isAboutBoth = status === 400 && /temperature.{0,60}top_p.{0,80}cannot both be specified/i.test(text)
      if (!isAboutBoth || memory.takesOne(model)) return false
      memory.rememberTakesOne(model)
      return true
    },
  })
}

function prepare(request: ModelRequest, quirks: MessagesQuirks, oneSampling: boolean): ModelPost {
  return {
    ...reachEndpoint(request.connection, quirks, '/v1/messages'),
    body: JSON.stringify(buildRequestBody(request, { quirks, oneSampling })),
  }
}

/** Address and headers of an endpoint, the key among them. */
export const reachEndpoint = (
  { baseUrl, apiKey }: ModelRequest['connection'],
  quirks: MessagesQuirks,
  path: string,
): Pick<ModelPost, 'url' | 'headers'> => ({
  // The version part is optional in the address.
  url: endpointUrl(baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''), path),
  headers: { 'anthropic-version': version, ...quirks.headers, ...credentialOf(apiKey, quirks) },
})

function credentialOf(apiKey: string | undefined, { auth, headers }: MessagesQuirks): Readonly<Record<string, string>> {
  if (apiKey === undefined || auth === 'none') return {}
  const token = apiKey.replace(/^Bearer\s+/i, '')
  if (token.startsWith('sk-ant-oat')) {
    const betas = headers['anthropic-beta']
    return { authorization: `Bearer ${token}`, 'anthropic-beta': betas === undefined ? tokenBeta : `${betas},${tokenBeta}` }
  }
  return auth === 'bearer' || token !== apiKey ? { authorization: `Bearer ${token}` } : { 'x-api-key': apiKey }
}
