import type { Resources } from '@agent-service/sdk/services/resources'
import type { RefreshableCatalogue } from '../catalogue.js'
import { readCatalogue } from '../read-catalogue.js'
import { type CatalogueRefresh, createCatalogueRefresh, type RefreshDependencies } from './catalogue-refresh.js'

/**
 * Reads the catalogue of the installation and applies the snapshot of an earlier refresh. @throws
 * `catalogue_invalid`.
 */
export async function openCatalogue(
  dependencies: Omit<RefreshDependencies, 'catalogue'> & { readonly resources: Resources },
): Promise<{ readonly catalogue: RefreshableCatalogue; readonly refresh: CatalogueRefresh }> {
  const catalogue = await readCatalogue(dependencies.resources)
  const refresh = createCatalogueRefresh({ ...dependencies, catalogue })
  await refresh.restore()
  return { catalogue, refresh }
}
