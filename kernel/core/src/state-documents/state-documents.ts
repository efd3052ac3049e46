import { defineError, type JsonObject, type TObject } from '@agent-service/sdk'
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

/** Opens state documents. */
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

/** The file of a state document, or a new value for it, is not valid. */
export const stateDocumentInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'state_document_invalid',
  status: 500,
  title: 'State document invalid',
  message: ({ path, reason }) => `${path} is not valid: ${reason}. Correct the file, or move it away to start with the defaults.`,
})
