import { type Logger, validate } from '@agent-service/sdk'
import type { CacheFiles } from '@agent-service/sdk/services/cache-files'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { RefreshableCatalogue } from '../catalogue.js'
import { type ModelsFile, modelsFileSchema } from '../catalogue-schema.js'
import { modelsPlainlyHold } from '../models-hold.js'
import { fetchSnapshot } from './fetch-snapshot.js'

/** Where the list of models is downloaded. */
export const sourceAddress = 'https://models.dev/api.json'

/** The file in the cache. */
const cacheFile = 'models.json'

/** What a refresh brought. */
export interface RefreshResult {
  readonly version: string
  readonly models: number
  readonly brands: number
}

/** Keeps the snapshot of the catalogue up to date, when it is asked to. */
export interface CatalogueRefresh {
  /** Takes the snapshot of an earlier refresh into use. One that is damaged, or older than what the service came with, is passed over with a warning. */
  restore(): Promise<void>
  /**
   * Downloads the list, keeps it in the cache and takes it into use at once. While one is under way, another joins it.
   * @throws `catalogue_refresh_failed`; then nothing has changed.
   */
  refresh(): Promise<RefreshResult>
}

export interface RefreshDependencies {
  readonly catalogue: RefreshableCatalogue
  readonly cache: CacheFiles
  readonly clock: Clock
  readonly log: Logger
  /** Ends a refresh that is under way. */
  readonly signal: AbortSignal
  /** Default: the public list. */
  readonly address?: string
  /** How long a refresh may take. Default a minute. */
  readonly limitMs?: number
  /** How large the list may be. Default 32 MiB. */
  readonly limitBytes?: number
}

/** Makes the refresh of a catalogue. Nothing is downloaded until it is asked for. */
export function createCatalogueRefresh(dependencies: RefreshDependencies): CatalogueRefresh {
  const { catalogue, cache, clock, log, signal } = dependencies
  const { address = sourceAddress, limitMs = 60_000, limitBytes = 32 * 1024 * 1024 } = dependencies
  const shippedVersion = catalogue.snapshotVersion
  const minModels = Math.floor(catalogue.models().length / 2)
  let underWay: Promise<RefreshResult> | undefined

  const refresh = async (): Promise<RefreshResult> => {
    const version = new Date(clock.now()).toISOString()
    const { text, models, brands } = await fetchSnapshot({ address, version, limitBytes, minModels }, { signal, limitMs })
    await cache.write(cacheFile, text)
    catalogue.replaceSnapshot(JSON.parse(text) as ModelsFile)
    log.info('The catalogue of models was refreshed.', { version, models, brands })
    return { version: catalogue.version, models, brands }
  }

  return {
    async restore() {
      const passOver = (reason: string, error?: unknown): void =>
        log.warn('The refreshed catalogue in the cache is not used; the one that the service came with is.', {
          reason,
          ...(error !== undefined && { error }),
        })
      try {
        const text = await cache.read(cacheFile)
        if (text === undefined) return
        const snapshot = readSnapshot(text)
        if (typeof snapshot === 'string') return passOver(snapshot)
        if (snapshot.version < shippedVersion) return passOver(`it is of ${snapshot.version}, and older`)
        catalogue.replaceSnapshot(snapshot)
      } catch (error) {
        passOver('it cannot be read', error)
      }
    },
    refresh() {
      underWay ??= refresh().finally(() => {
        underWay = undefined
      })
      return underWay
    },
  }
}

/** The snapshot in a text, or why there is none. */
function readSnapshot(text: string): ModelsFile | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  if (modelsPlainlyHold(value)) return value
  const [problem] = validate(modelsFileSchema, value)
  return problem ? `${problem.path} ${problem.message}` : (value as ModelsFile)
}
