import type { ConfigurationFinding } from '@agent-service/sdk'
import { nearest, suggestion } from '@agent-service/sdk/host'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Brand } from '../catalogue/catalogue-schema.js'
import type { Connection } from '../connections/connections.js'
import type { ConfiguredModels } from './configured-models.js'

/** The local runtime: it has a default address even for a custom brand. */
const localFamily = 'adapter_zeta'

/**
 * A built-in brand provides its adapter and, with one exception, its address, as does a usable
 * compatible brand. A custom one must name them.
 */
export function checkBrand(
  path: string,
  connection: Connection,
  { catalogue, hasOtherAdapters }: Pick<ConfiguredModels, 'catalogue' | 'hasOtherAdapters'>,
): readonly ConfigurationFinding[] {
  if (connection.refused !== undefined) return [refusedBrand(path, connection, connection.refused)]
  return connection.brand
    ? checkKnown(path, connection, connection.brand, catalogue)
    : [...checkCustom(path, connection, catalogue), ...(hasOtherAdapters ? [] : checkAdapter(path, connection, catalogue))]
}

const refusedBrand = (path: string, { brandName, settings }: Connection, reason: string): ConfigurationFinding => ({
  path: settings.provider === undefined ? path : `${path}.provider`,
  message: `the compatible brand “${brandName}” cannot be used: ${reason}. For an endpoint of the brand that speaks another protocol, set adapter and base_url`,
})

function checkKnown(path: string, { settings }: Connection, brand: Brand, catalogue: Catalogue): readonly ConfigurationFinding[] {
  const isOther = settings.adapter !== undefined && catalogue.family(settings.adapter)?.id !== brand.adapter
  return [
    ...(isOther
      ? [
          {
            path: `${path}.adapter`,
            message: `must be ${brand.adapter} for the built-in brand “${brand.id}”; remove it, or set provider to a name of your own`,
          },
        ]
      : []),
    ...(brand.requires_base_url === true && settings.base_url === undefined
      ? [{ path: `${path}.base_url`, message: `is required for the brand “${brand.id}”` }]
      : []),
  ]
}

function checkCustom(path: string, { adapter, brandName, settings }: Connection, catalogue: Catalogue): readonly ConfigurationFinding[] {
  if (adapter === undefined) {
    const near = nearest(
      brandName,
      catalogue.brands.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
    )
    const hint = near === undefined ? '' : ` (did you mean “${near}”?)`
    return [
      {
        path: `${path}.adapter`,
        message: `is required: “${brandName}” is not a built-in brand${hint}. Set its protocol family (adapter_alpha for OpenAI-style endpoints), or set provider to a built-in brand`,
      },
    ]
  }
  // Whether a third-party plugin contributes another adapter is known once the plugins run.
  if (!catalogue.family(adapter)) return []
  return adapter !== localFamily && settings.base_url === undefined
    ? [{ path: `${path}.base_url`, message: `is required for a custom brand with ${adapter}` }]
    : []
}

/** For installations in which only the catalogue's families have adapters. */
function checkAdapter(path: string, { adapter, settings }: Connection, catalogue: Catalogue): readonly ConfigurationFinding[] {
  if (adapter === undefined || !settings.enabled || catalogue.family(adapter)) return []
  const near = suggestion(adapter, [...new Set(catalogue.brands.map((brand) => brand.adapter))])
  return [{ path: `${path}.adapter`, severity: 'warning', message: `no installed plugin contributes the adapter “${adapter}”${near}` }]
}
