import { readFile, readlink } from 'node:fs/promises'

/** The zone of most servers. Asking the runtime would load what it knows of all zones and languages. */
const utc: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC'])

/** True for a name of the IANA time zone database that this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (utc.has(name)) return true
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export interface TimeZoneSources {
  /** The text of the variable `TZ`. */
  readonly variable?: string | undefined
  /** The system's zone, instead of the two files. */
  readonly systemZone?: string | undefined
  /** A link into the system's zone files. Default `/etc/localtime`. */
  readonly link?: string
  /** A file that contains a name. Default `/etc/timezone`. */
  readonly file?: string
}

/**
 * The first valid one of: the variable, the link's target, the file's text, UTC. Absent, unreadable
 * and invalid sources are skipped.
 */
export async function detectTimeZone(sources: TimeZoneSources): Promise<string> {
  const { variable, systemZone, link = '/etc/localtime', file = '/etc/timezone' } = sources
  const named = zoneIn(variable?.replace(/^:/, ''))
  if (named !== undefined) return named
  if (systemZone !== undefined) return zoneIn(systemZone) ?? 'UTC'
  return zoneIn(await orNothing(readlink(link))) ?? zoneIn(await orNothing(readFile(file, 'utf8'))) ?? 'UTC'
}

/**
 * The zone that a text names, as a name or as a path of the system's zone files; `undefined` if it
 * names none.
 */
function zoneIn(text: string | undefined): string | undefined {
  const name = text?.trim().replace(/^.*\/zoneinfo\/(?:posix\/|right\/)?/, '')
  return name !== undefined && isTimeZone(name) ? name : undefined
}

const orNothing = (text: Promise<string>): Promise<string | undefined> => text.catch(() => undefined)
