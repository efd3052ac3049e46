import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, createCompletionsAssembler, endpointUrl, type Refusal } from '@agent-service/sdk/provider-kit'
import { azureEndpoint } from '../connection/azure-endpoint.js'
import type { CallMeans } from '../connection/call-means.js'
import { failureSigns } from '../connection/failure-signs.js'
import { openConnection } from '../connection/open-connection.js'
import { fieldRefused, type OmissibleFields } from '../connection/refused-fields.js'
import { toolNamesOf } from '../connection/tool-names.js'
import { buildRequestBody, isAskedFor, limitFields } from './build-request.js'
import { opaqueVendor } from './opaque-reasoning.js'
import { type CompletionsQuirks, readQuirks } from './quirks.js'

/**
 * One call of the completions protocol. Ends the upstream request when the signal is aborted or the
 * iteration is left.
 */
export function callCompletions(request: ModelRequest, means: CallMeans): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal, client, refusedFields } = means
  const { connection, model } = request
  const quirks = readQuirks(connection.quirks)
  const opened = openConnection(request, quirks, means.copilotTokens)
  const names = toolNamesOf(request)
  const place = `${connection.baseUrl} ${model} completions`
  return callModel(request, {
    signal,
    client,
    signs: failureSigns,
    secrets: opened.secrets,
    async prepare(signal) {
      const { baseUrl, headers } = await opened.reach(signal)
      return {
        url: addressOf(baseUrl, model, quirks),
        headers,
        body: JSON.stringify(buildRequestBody(request, quirks, { names, refused: refusedFields.of(place) })),
      }
    },
    createAssembler: () => {
      const refused = refusedFields.of(place)
      const omitted = ownFields(request).filter((field) => refused.has(field))
      return createCompletionsAssembler({
        vendor: opaqueVendor(connection.brand, model),
        request,
        echoesReasoning: quirks.reasoningEcho !== undefined,
        mergeChoices: quirks.mergeChoices,
        signs: failureSigns,
        ownName: names.own,
        ...(omitted.length > 0 && { metadata: { left_out: omitted } }),
      })
    },
    mend(refusal) {
      if (opened.renew(refusal)) return true
      const field = fieldAbout(refusal, request, quirks)
      return field !== undefined && refusedFields.add(place, field)
    },
  })
}

function addressOf(baseUrl: string, model: string, quirks: CompletionsQuirks): URL {
  if (quirks.service === 'azure') return azureEndpoint(baseUrl, model, quirks.query)
  return endpointUrl(baseUrl, quirks.path.replaceAll('{model}', encodeURIComponent(model)), quirks.query)
}

/** Fields that the request needs, or that change its answer. */
const essential: ReadonlySet<string> = new Set([
  ...[
    'model',
    'messages',
    'tools',
    'tool_choice',
    'functions',
    'stream',
    'response_format',
    'temperature',
    'max_tokens',
    'max_completion_tokens',
  ],
])

/**
 * What may be left out or renamed: a hint, the limit under its other name, and for some brands any
 * unknown field.
 */
function fieldAbout(refusal: Refusal, request: ModelRequest, quirks: CompletionsQuirks): string | undefined {
  const hints = ['stream_options', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens'].filter(
    (field) => limitFields.includes(field) || !isAskedFor(field, request),
  )
  const fields: OmissibleFields = { hints, unknown: quirks.dropsUnknownFields ? ownFields(request) : [] }
  return fieldRefused(refusal, fields)
}

/** Fields that the configuration set and that are not essential for an answer. */
const ownFields = (request: ModelRequest): readonly string[] =>
  [...Object.keys(request.settings), ...Object.keys(request.extraParams)].filter(
    (name) => !essential.has(name) && !isAskedFor(name, request),
  )
