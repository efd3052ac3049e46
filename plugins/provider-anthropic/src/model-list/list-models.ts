import type { ModelListRequest, OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, listAt, listOfferedModels, type ModelClient, numberAt, textAt } from '@agent-service/sdk/provider-kit'
import { reachEndpoint } from '../messages/call.js'
import { failureSigns } from '../messages/failure-signs.js'
import { readQuirks } from '../messages/quirks.js'

/** The vendor's limit of one page. */
const pageSize = '1000'

/** Asks for `/v1/models`, one page of the vendor's largest size. */
export function listModels(
  request: ModelListRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): Promise<readonly OfferedModel[]> {
  const quirks = readQuirks(request.connection.quirks)
  return listOfferedModels(request, {
    signal,
    client,
    signs: failureSigns,
    prepare() {
      const { url, headers } = reachEndpoint(request.connection, quirks, '/v1/models')
      url.searchParams.set('limit', pageSize)
      return { method: 'GET', url, headers, body: '' }
    },
    read: (answer) =>
      isObject(answer) && Array.isArray(answer['data'])
        ? listAt(answer, 'data').map((entry) => ({
            id: textAt(entry, 'id'),
            name: textAt(entry, 'display_name'),
            contextWindow: numberAt(entry, 'max_input_tokens'),
            maxOutputTokens: numberAt(entry, 'max_tokens'),
          }))
        : undefined,
  })
}
