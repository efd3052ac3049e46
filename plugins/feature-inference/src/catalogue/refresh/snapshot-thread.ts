import { parentPort, workerData } from 'node:worker_threads'
import { validate } from '@agent-service/sdk'
import { modelsFileSchema } from '../catalogue-schema.js'
import { modelsPlainlyHold } from '../models-hold.js'
import { convertModels } from '../snapshot/convert-models.js'
import { printModels } from '../snapshot/print-snapshot.js'
import { download } from './download.js'

/** What the thread is started with. */
export interface SnapshotOrder {
  readonly address: string
  /** Of the new snapshot. */
  readonly version: string
  readonly limitBytes: number
  /** How many models it must have at least: a source that has lost most of them is taken for damaged. */
  readonly minModels: number
}

/** What the thread says once, before it ends. */
export type SnapshotAnswer = { readonly text: string; readonly models: number; readonly brands: number } | { readonly failure: string }

/** Downloads and converts beside the event loop: the source has several megabytes. */
async function answer({ address, version, limitBytes, minModels }: SnapshotOrder): Promise<SnapshotAnswer> {
  try {
    const source = parse(await download(address, { bytes: limitBytes }))
    const snapshot = convertModels(source, version)
    if (!modelsPlainlyHold(snapshot)) {
      const [problem] = validate(modelsFileSchema, snapshot)
      if (problem) return { failure: `the list cannot be used: ${problem.path} ${problem.message}` }
    }
    const models = Object.values(snapshot.models).reduce((sum, known) => sum + Object.keys(known).length, 0)
    if (models < minModels) return { failure: `the list has ${models} models that can be used, at least ${minModels} were expected` }
    return { text: printModels(snapshot), models, brands: Object.keys(snapshot.models).length }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

function parse(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch (error) {
    throw new Error('the list is not JSON', { cause: error })
  }
}

parentPort?.postMessage(await answer(workerData as SnapshotOrder))
