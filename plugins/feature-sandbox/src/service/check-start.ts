import { type SandboxStart, sandboxStartInvalidError } from '@agent-service/sdk/services/sandbox'

const maxTitleLength = 200

/** @throws `sandbox_start_invalid` for what no caller may ask. */
export function checkStart({
  title,
  command,
  timezone,
  timeoutMs = 0,
  maxOutputBytes = 0,
  expose = [],
  searchPath = [],
}: SandboxStart): void {
  const demand = (holds: boolean, problem: string): void => {
    if (!holds) throw sandboxStartInvalidError.create({ problem })
  }
  demand(title.length <= maxTitleLength && !/\p{Cc}/u.test(title), `its title is more than one line of ${maxTitleLength} characters`)
  demand(command[0] !== '', 'it names no program')
  demand(timezone === undefined || isZone(timezone), 'its time zone is not one of the IANA data base')
  for (const limit of [timeoutMs, maxOutputBytes])
    demand(Number.isSafeInteger(limit) && limit >= 0, 'a limit is not a whole number of at least 0')
  for (const port of expose) demand(Number.isInteger(port) && port > 0 && port < 65_536, 'a port is not 1 to 65535')
  for (const folder of searchPath) demand(isPlain(folder), 'a folder of its search path does not lie below the workspace')
}

const isPlain = (folder: string): boolean =>
  !/[\p{Cc}:]/u.test(folder) && folder.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
