import { type Logger, validate } from '@agent-service/sdk'
import type { CacheFiles } from '@agent-service/sdk/services/cache-files'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { RefreshableCatalogue } from '../catalogue.js'
import { type ModelsFile, modelsFileSchema } from '../catalogue-schema.js'
import { isClearlyValidSnapshot } from '../fast-validation.js'
import { fetchSnapshot } from './fetch-snapshot.js'

/** The address of the list of models. */
export const sourceAddress = 'https://models.dev/api.json'

/** The file in the cache. */
const cacheFile = 'models.json'

/** The result of a refresh. */
export interface RefreshResult {
  readonly version: string
  readonly models: number
  readonly brands: number
}

/** Refreshes the snapshot of the catalogue on request. */
export interface CatalogueRefresh {
  /**
   * Uses the snapshot of an earlier refresh. One that is damaged, or older than that of the
   * installation, is ignored with a warning.
   */
  restore(): Promise<void>
  /**
   * Downloads the list, stores it in the cache and uses it at once. Concurrent calls share one
   * refresh.
   * @throws `catalogue_refresh_failed`; nothing has changed then.
   */
  refresh(): Promise<RefreshResult>
}

export interface RefreshDependencies {
  readonly catalogue: RefreshableCatalogue
  readonly cache: CacheFiles
  readonly clock: Clock
  readonly log: Logger
  /** Cancels a running refresh. */
  readonly signal: AbortSignal
  /** Default: the public list. */
  readonly address?: string
  /** How long a refresh may take. Default: a minute. */
  readonly timeoutMs?: number
  /** How large the list may be. Default: 32 MiB. */
  readonly maxBytes?: number
}

/** Downloads nothing until a refresh is requested. */
export function createCatalogueRefresh(dependencies: RefreshDependencies): CatalogueRefresh {
  const { catalogue, cache, clock, log, signal } = dependencies
  const { address = sourceAddress, timeoutMs = 60_000, maxBytes = 32 * 1024 * 1024 } = dependencies
  const shippedVersion = catalogue.snapshotVersion
  const minModels = Math.floor(catalogue.models().length / 2)
  let running: Promise<RefreshResult> | undefined

  const refresh = async (): Promise<RefreshResult> => {
    const version = new Date(clock.now()).toISOString()
    const { text, models, brands } = await fetchSnapshot({ address, version, maxBytes, minModels }, { signal, timeoutMs })
    await cache.write(cacheFile, text)
    catalogue.replaceSnapshot(JSON.parse(text) as ModelsFile)
    log.info('The model catalogue was refreshed.', { version, models, brands })
    return { version: catalogue.version, models, brands }
  }

  return {
    async restore() {
      const ignore = (reason: string, error?: unknown): void =>
        log.warn('The refreshed catalogue in the cache is ignored; the catalogue of the installation is used.', {
          reason,
          ...(error !== undefined && { error }),
        })
      try {
        const text = await cache.read(cacheFile)
        if (text === undefined) return
        const snapshot = readSnapshot(text)
        if (typeof snapshot === 'string') return ignore(snapshot)
        if (snapshot.version < shippedVersion) return ignore(`its version ${snapshot.version} is older`)
        catalogue.replaceSnapshot(snapshot)
      } catch (error) {
        ignore('it cannot be read', error)
      }
    },
    refresh() {
      running ??= refresh().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

/** The snapshot in a text, or the problem with it. */
function readSnapshot(text: string): ModelsFile | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not valid JSON'
  }
  if (isClearlyValidSnapshot(value)) return value
  const [problem] = validate(modelsFileSchema, value)
  return problem ? `${problem.path} ${problem.message}` : (value as ModelsFile)
}
