import type { JsonObject } from '@agent-service/sdk'
import type { ModelListRequest, OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import {
  endpointUrl,
  isObject,
  listAt,
  listOfferedModels,
  type ModelClient,
  type ModelListEntry,
  type ModelPost,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { rootOf } from '../chat/address.js'
import { ollamaSigns } from '../chat/failure-signs.js'
import { explainRefusedConnections } from '../chat/refused-connection.js'
import { withAbilities } from './model-abilities.js'

/** What the server is asked with. */
interface ListMeans {
  readonly signal: AbortSignal
  readonly client: ModelClient
}

/**
 * Asks for `/api/tags`, the models that this server has downloaded, and for what they can do, which older servers tell of each model alone
 * (`/api/show`).
 */
export async function listModels(request: ModelListRequest, means: ListMeans): Promise<readonly OfferedModel[]> {
  const models = await ask(request, means, { path: '/api/tags', method: 'GET', body: '' }, (answer) =>
    Array.isArray(answer['models'])
      ? listAt(answer, 'models').map((entry) => ({ id: textAt(entry, 'model') ?? textAt(entry, 'name'), ...abilitiesIn(entry) }))
      : undefined,
  )
  const show = async (model: OfferedModel, signal: AbortSignal): Promise<OfferedModel | undefined> => {
    const question = { path: '/api/show', method: 'POST', body: JSON.stringify({ model: model.id }) } as const
    const [shown] = await ask(request, { ...means, signal }, question, (answer) => [{ id: model.id, ...abilitiesIn(answer) }])
    return shown
  }
  return withAbilities(models, show, means.signal)
}

function ask(
  request: ModelListRequest,
  { signal, client }: ListMeans,
  { path, method, body }: Required<Pick<ModelPost, 'method' | 'body'>> & { readonly path: string },
  read: (answer: JsonObject) => readonly ModelListEntry[] | undefined,
): Promise<readonly OfferedModel[]> {
  const { baseUrl, apiKey } = request.connection
  const root = rootOf(baseUrl)
  return listOfferedModels(request, {
    signal,
    client: explainRefusedConnections(client, root),
    signs: ollamaSigns,
    prepare: () => ({
      method,
      url: endpointUrl(root, path),
      headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
      body,
    }),
    read: (answer) => (isObject(answer) ? read(answer) : undefined),
  })
}

/** `capabilities`: `completion`, `embedding`, `tools`, `vision`, `thinking`, … Servers before 0.6.4 have none. */
function abilitiesIn(entry: unknown): Pick<ModelListEntry, 'answers' | 'tools'> {
  const abilities = isObject(entry) ? listAt(entry, 'capabilities') : []
  return abilities.length === 0 ? {} : { answers: abilities.includes('completion'), tools: abilities.includes('tools') }
}
