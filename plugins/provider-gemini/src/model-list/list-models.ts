import type { ModelListRequest, OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callFailure,
  endpointUrl,
  isObject,
  listAt,
  listOfferedModels,
  type ModelClient,
  numberAt,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { credentialOf, versionOf } from '../generate-content/address.js'
import { failureSigns, readRefusal } from '../generate-content/error-body.js'
import { readQuirks } from '../generate-content/quirks.js'

/** The vendor's limit of one page. */
const pageSize = '1000'

/** Asks for `/models` of the developer API. The API of a cloud project has no list of them. */
export function listModels(
  request: ModelListRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): Promise<readonly OfferedModel[]> {
  const { baseUrl, apiKey, quirks: given } = request.connection
  const quirks = readQuirks(given)
  return listOfferedModels(request, {
    signal,
    client,
    signs: failureSigns,
    readError: ({ text }) => readRefusal(text),
    prepare() {
      if (/\/projects\//.test(`${baseUrl}/`)) throw callFailure(cloudProject)
      return {
        method: 'GET',
        url: endpointUrl(baseUrl, `${versionOf(baseUrl)}/models`, { pageSize }),
        headers: { ...quirks.headers, ...credentialOf(apiKey, quirks) },
        body: '',
      }
    },
    read: (answer) =>
      isObject(answer) && Array.isArray(answer['models'])
        ? listAt(answer, 'models').map((entry) => ({
            id: textAt(entry, 'name')?.replace(/^models\//, ''),
            name: textAt(entry, 'displayName'),
            contextWindow: numberAt(entry, 'inputTokenLimit'),
            maxOutputTokens: numberAt(entry, 'outputTokenLimit'),
            answers: listAt(entry, 'supportedGenerationMethods').includes('generateContent'),
          }))
        : undefined,
  })
}

const cloudProject = {
  failure: 'bad_request',
  retryable: false,
  reason: 'Only the developer API lists its models, not the API of a cloud project. Name the model.',
} as const
