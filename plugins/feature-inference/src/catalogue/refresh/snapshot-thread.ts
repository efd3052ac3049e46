import { parentPort, workerData } from 'node:worker_threads'
import { validate } from '@agent-service/sdk'
import { modelsFileSchema } from '../catalogue-schema.js'
import { isClearlyValidSnapshot } from '../fast-validation.js'
import { convertModels } from '../snapshot/convert-models.js'
import { printModels } from '../snapshot/print-snapshot.js'
import { download } from './download.js'

/** The input of the thread. */
export interface SnapshotRequest {
  readonly address: string
  /** The version of the new snapshot. */
  readonly version: string
  readonly maxBytes: number
  /** The least number of models: a source that lacks most of them counts as damaged. */
  readonly minModels: number
}

/** The one message of the thread, before it ends. */
export type SnapshotResult = { readonly text: string; readonly models: number; readonly brands: number } | { readonly failure: string }

/** Downloads and converts off the event loop, because the source has several megabytes. */
async function makeSnapshot({ address, version, maxBytes, minModels }: SnapshotRequest): Promise<SnapshotResult> {
  try {
    const source = parse(await download(address, { maxBytes }))
    const snapshot = convertModels(source, version)
    if (!isClearlyValidSnapshot(snapshot)) {
      const [problem] = validate(modelsFileSchema, snapshot)
      if (problem) return { failure: `the list cannot be used: ${problem.path} ${problem.message}` }
    }
    const models = Object.values(snapshot.models).reduce((sum, known) => sum + Object.keys(known).length, 0)
    if (models < minModels) return { failure: `the list has ${models} usable models, but at least ${minModels} were expected` }
    return { text: printModels(snapshot), models, brands: Object.keys(snapshot.models).length }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

function parse(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch (error) {
    throw new Error('the list is not valid JSON', { cause: error })
  }
}

parentPort?.postMessage(await makeSnapshot(workerData as SnapshotRequest))
