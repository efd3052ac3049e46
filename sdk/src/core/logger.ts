/** Fields that accompany a log line. Secrets are redacted by key and by value before anything is written. */
export type LogFields = Readonly<Record<string, unknown>>

/** A structured log. Lines carry the plugin's id; writing never throws and never waits. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A log whose every line carries these fields too. */
  child(fields: LogFields): Logger
}
