import type { LogFields, Logger } from '@agent-service/sdk'

/** A log that keeps its lines. */
export interface RecordingLog extends Logger {
  readonly lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[]
}

/** Makes a log whose children write to the same lines. */
export function createRecordingLog(): RecordingLog {
  const lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = []
  const make = (base: LogFields): Logger => {
    const write =
      (level: string) =>
      (message: string, fields: LogFields = {}): void =>
        void lines.push({ level, message, fields: { ...base, ...fields } })
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (fields) => make({ ...base, ...fields }),
    }
  }
  return { ...make({}), lines }
}
