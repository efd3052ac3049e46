import type { JsonObject, TObject } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'

/** One small, human-readable JSON file: `{storage.data_dir}/system/<name>.json`. */
export interface StateDocument<Value extends JsonObject> {
  /** The current value; deeply frozen. */
  read(): Value
  /**
   * Applies changes one after the other, each durable (file synced, renamed, folder synced) when
   * its promise resolves. If it rejects, nothing has changed.
   */
  update(change: (value: Value) => Value): Promise<Value>
}

export interface StateDocuments {
  /**
   * Opens a document with the value of its file, or `initial` if the file is missing. @throws
   * `state_document_invalid` with path and reason if the file is not valid
   */
  open<Value extends JsonObject>(options: {
    readonly name: string
    readonly schema: TObject
    readonly initial: Value
  }): Promise<StateDocument<Value>>
}

export const stateDocumentsToken: InjectionToken<StateDocuments> = Symbol('state-documents')
