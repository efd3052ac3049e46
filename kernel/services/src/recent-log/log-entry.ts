import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import { logLevels, type NumberedLine } from './recent-lines.js'

export type LogEntryLevel = (typeof logLevels)[number]

/** The source of lines that neither a plugin nor a part of the service claims. */
export const ownSource = 'service'

/** A line of the log as the API shows it. */
export interface LogEntry {
  readonly id: string
  readonly at: string
  readonly level: LogEntryLevel
  readonly source: string
  readonly message: string
  readonly fields: JsonObject
}

export const logEntrySchema = namedObject('LogEntry', {
  id: Type.String({ description: 'Its place in the log of this process; it grows.', examples: ['mdc2x1-42'] }),
  at: Type.String({ examples: ['2026-11-23T09:30:00.000Z'] }),
  level: Type.Union(logLevels.map((level) => Type.Literal(level))),
  source: Type.String({ description: `The plugin, the part of the service, or \`${ownSource}\`.`, examples: ['http'] }),
  message: Type.String({ examples: ['The service is ready.'] }),
  fields: Type.Record(Type.String(), Type.Unknown(), { description: 'The other members of the line, without secrets.' }),
})

/** Which lines are wanted; every member that is given must fit. */
export interface LogFilter {
  /** This level and those above it. */
  readonly level?: LogEntryLevel
  readonly source?: string
  /** A part of the message or of a field, in any case. */
  readonly search?: string
}

/** What of the redactor is needed: values that became secret after a line was written. */
export interface LineRedactor {
  text(text: string): string
  fields(value: unknown): unknown
}

/** Reads a line that the log has written. `undefined` if it is not one. */
export function readLine({ number, line }: NumberedLine, epoch: string, redactor: LineRedactor): LogEntry | undefined {
  const members = parse(line)
  if (members === undefined) return undefined
  const { level, time, msg, plugin, module, ...rest } = members
  const source = [plugin, module].find((name) => typeof name === 'string') ?? ownSource
  return {
    id: `${epoch}-${number}`,
    at: String(time),
    level: logLevels.find((name) => name === level) ?? 'info',
    source: redactor.text(String(source)),
    message: redactor.text(String(msg ?? '')),
    fields: redactor.fields(plugin === undefined || module === undefined ? rest : { ...rest, module }) as JsonObject,
  }
}

/** Whether an entry is wanted. */
export function isWanted(entry: LogEntry, { level, source, search }: LogFilter): boolean {
  if (level !== undefined && logLevels.indexOf(entry.level) < logLevels.indexOf(level)) return false
  if (source !== undefined && entry.source !== source) return false
  const wanted = search?.trim().toLowerCase() ?? ''
  return wanted === '' || entry.message.toLowerCase().includes(wanted) || JSON.stringify(entry.fields).toLowerCase().includes(wanted)
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
