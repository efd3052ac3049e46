import { defineError, type JsonObject, type TObject } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'

/** One small, human-readable JSON file: `{storage.data_dir}/system/<name>.json`. */
export interface StateDocument<Value extends JsonObject> {
  /** The value in memory; deeply frozen. */
  read(): Value
  /** Changes are applied one after the other, each durable (file synced, renamed, folder synced) when its promise resolves; a throw changes nothing. */
  update(change: (value: Value) => Value): Promise<Value>
}

/** Opens state documents. */
export interface StateDocuments {
  /** The file's value, or `initial` where there is none. @throws `state_document_invalid` with path and reason when the file is not what it should be. */
  open<Value extends JsonObject>(options: {
    readonly name: string
    readonly schema: TObject
    readonly initial: Value
  }): Promise<StateDocument<Value>>
}

export const stateDocumentsToken: InjectionToken<StateDocuments> = Symbol('state-documents')

/** A state document's file, or a value meant for it, is not what it should be. */
export const stateDocumentInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'state_document_invalid',
  status: 500,
  title: 'State document invalid',
  message: ({ path, reason }) => `${path} is not valid: ${reason}. Correct the file, or move it away to start from its defaults.`,
})
