import { parentPort, workerData } from 'node:worker_threads'
import { type JsonValue, type Problem, type TSchema, validate } from '@agent-service/sdk'

/** The input of the thread. */
export interface SchemaOrder {
  readonly schema: TSchema
  readonly value: JsonValue
}

/** The messages of the thread: first that the check begins, then its result. */
export type SchemaWorkerMessage = 'begun' | SchemaAnswer

export type SchemaAnswer = { readonly problems: readonly Problem[] } | { readonly unusable: string }

/** Only the schema can be at fault: any JSON value can be checked. */
function answer({ schema, value }: SchemaOrder): SchemaAnswer {
  try {
    return { problems: validate(schema, value) }
  } catch (error) {
    return { unusable: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

parentPort?.postMessage('begun' satisfies SchemaWorkerMessage)
parentPort?.postMessage(answer(workerData as SchemaOrder) satisfies SchemaWorkerMessage)
