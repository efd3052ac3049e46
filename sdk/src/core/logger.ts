/**
 * Fields that accompany a log line. Secrets are redacted by key and by value before anything is
 * written.
 */
export type LogFields = Readonly<Record<string, unknown>>

/** A structured log. Lines carry the plugin's id; writing never throws and never waits. */
export interface Logger {
  /** Details for debugging. Not written by default. */
  debug(message: string, fields?: LogFields): void
  /** Normal events for operators. */
  info(message: string, fields?: LogFields): void
  /** Something is wrong; work continues. */
  warn(message: string, fields?: LogFields): void
  /** Something failed and needs attention. An error goes in the field `error`. */
  error(message: string, fields?: LogFields): void
  /** A log whose every line carries these fields too. */
  child(fields: LogFields): Logger
}
