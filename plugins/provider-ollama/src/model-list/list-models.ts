import type { ModelListRequest, OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import { endpointUrl, isObject, listAt, listOfferedModels, type ModelClient, textAt } from '@agent-service/sdk/provider-kit'
import { rootOf } from '../chat/address.js'
import { ollamaSigns } from '../chat/failure-signs.js'
import { explainRefusedConnections } from '../chat/refused-connection.js'

/** Asks for `/api/tags`: the models that this server has downloaded. */
export function listModels(
  request: ModelListRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): Promise<readonly OfferedModel[]> {
  const { baseUrl, apiKey } = request.connection
  const root = rootOf(baseUrl)
  return listOfferedModels(request, {
    signal,
    client: explainRefusedConnections(client, root),
    signs: ollamaSigns,
    prepare: () => ({
      method: 'GET',
      url: endpointUrl(root, '/api/tags'),
      headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
      body: '',
    }),
    read: (answer) =>
      isObject(answer) && Array.isArray(answer['models'])
        ? listAt(answer, 'models').map((entry) => ({ id: textAt(entry, 'model') ?? textAt(entry, 'name') }))
        : undefined,
  })
}
