import { readFile, readlink } from 'node:fs/promises'

/** True for a name of the IANA time zone database that this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The first valid one of: the `TZ` variable, the target of `/etc/localtime`, the text of `/etc/timezone`, UTC. What is invalid is passed over. */
export async function detectTimeZone(variable: string | undefined, systemZone?: string): Promise<string> {
  const named = variable?.replace(/^:/, '')
  if (named && isTimeZone(named)) return named
  const system = systemZone ?? (await zoneOfLink('/etc/localtime')) ?? (await zoneOfFile('/etc/timezone'))
  return system !== undefined && isTimeZone(system) ? system : 'UTC'
}

const valid = (name: string | undefined): string | undefined => (name !== undefined && isTimeZone(name) ? name : undefined)

const zoneOfLink = (path: string): Promise<string | undefined> =>
  readlink(path).then(
    (target) => valid(/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(target)?.[1]),
    () => undefined,
  )

const zoneOfFile = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => valid(text.trim()),
    () => undefined,
  )
