import type { OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CatalogueModel } from '../catalogue/catalogue-schema.js'
import type { Connection } from '../connections/connections.js'
import { resolveConnection } from '../connections/resolve-connection.js'
import type { CredentialKeeper } from '../credentials/credential-keeper.js'
import { acquireAdapter } from '../targets/acquire-adapter.js'
import { isOtherApi, type ProbeFailure, probeFailureOf } from './probe-failure.js'

const timeouts = { connectMs: 8_000, firstTokenMs: 10_000, idleMs: 10_000, totalMs: 20_000 }

/** A model that a connection can call, with what list and catalogue know of it. */
export interface ListedOffer extends OfferedModel {
  /** Its entry in the catalogue. */
  readonly known?: CatalogueModel
}

/** The models of a connection, or why there are none. */
export type ModelOffer =
  | { readonly models: readonly ListedOffer[]; readonly source: 'provider' | 'catalogue' }
  | { readonly failure: ProbeFailure }

/** What listing models depends on. */
export interface ListDependencies {
  readonly catalogue: Catalogue
  readonly contributions: Contributions
  readonly secrets: Secrets
  readonly keeper: CredentialKeeper
}

/**
 * The models of a connection as its provider lists them. The catalogue stands in for a brand whose
 * adapter or endpoint lists none. @throws the signal's reason.
 */
export async function listModelsOf(connection: Connection, dependencies: ListDependencies, signal: AbortSignal): Promise<ModelOffer> {
  const { catalogue, contributions, secrets, keeper } = dependencies
  const known = catalogue.models().filter(({ brand }) => brand === connection.brand?.id)
  const lease = acquireAdapter(connection, contributions)
  if (!lease) return { failure: { kind: 'unusable', message: `No active plugin contributes the adapter “${connection.adapter ?? ''}”.` } }
  let secret: string | undefined
  try {
    const access = connection.settings.credential_id === undefined ? undefined : await keeper.open(connection, { signal })
    const resolved = resolveConnection(connection, secrets, access)
    secret = resolved.apiKey
    if (!lease.value.listModels) return ofCatalogue(known)
    const models = await lease.value.listModels({ connection: resolved, timeouts }, { signal: AbortSignal.any([signal, lease.signal]) })
    return { source: 'provider', models: models.map((model) => withKnown(model, connection, catalogue)) }
  } catch (error) {
    signal.throwIfAborted()
    const failure = probeFailureOf(error, secret)
    const hasOwnAddress = connection.settings.base_url !== undefined
    if (!hasOwnAddress && known.length > 0 && (isOtherApi(error) || failure.kind === 'bad_request')) return ofCatalogue(known)
    return { failure: isOtherApi(error) ? { ...failure, kind: 'wrong_address' } : failure }
  } finally {
    lease.release()
  }
}

const withKnown = (model: OfferedModel, connection: Connection, catalogue: Catalogue): ListedOffer => {
  const known = catalogue.model(connection.brand?.id, model.id)
  return { ...model, ...(known && { known }) }
}

const ofCatalogue = (known: readonly { readonly id: string; readonly model: CatalogueModel }[]): ModelOffer => ({
  source: 'catalogue',
  models: known.map(({ id, model }) => ({ id, known: model })),
})
