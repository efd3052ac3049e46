import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { SandboxRequest } from './sandbox-driver.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(100),
  platforms: Type.Array(aName(/^[a-z][a-z0-9]{1,15}$/, 'a platform of Node.js, such as linux'), { minItems: 1, maxItems: 10 }),
  supports: Type.Object({ terminal: Type.Boolean() }),
  health: aFunction,
  run: aFunction,
  send: aFunction,
  measure: aFunction,
  sweep: aFunction,
  forget: aFunction,
})

/**
 * Everything that is wrong with a sandbox driver, each with a JSON pointer. Empty when it can be
 * used. Never throws.
 */
export function checkSandboxDriver(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}

const idPattern = /^[a-z0-9][a-z0-9-]{0,63}$/
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
/** A name, perhaps after `*.`; an address of either version. */
const hostPattern = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]{0,252})|[0-9a-f:.]{2,45})$/
const maxPort = 65_535

/**
 * What is wrong with a request, each with a JSON pointer; empty when a driver can try it. Drivers
 * begin with it, so that no path, name or variable can mean something else further on.
 */
export function checkSandboxRequest(request: SandboxRequest): readonly Problem[] {
  const { id, principal, owner, command, directory, environment, terminal, files, network, token, privateFiles = {} } = request
  const problems: Problem[] = []
  const demand = (holds: boolean, path: string, message: string): void => {
    if (!holds) problems.push({ path, message })
  }
  demand(idPattern.test(id), '/id', 'must be 1 to 64 of a-z, 0-9 and -')
  demand(idPattern.test(principal), '/principal', 'must be 1 to 64 of a-z, 0-9 and -')
  demand(owner === undefined || idPattern.test(owner), '/owner', 'must be 1 to 64 of a-z, 0-9 and -')
  demand(command[0] !== '', '/command/0', 'must name a program')
  for (const [index, text] of command.entries()) demand(!text.includes('\0'), `/command/${index}`, 'must not contain NUL')
  demand(isSafePath(directory), '/directory', safePath)
  for (const list of ['read', 'write', 'deny'] as const)
    for (const [index, path] of files[list].entries()) demand(isSafePath(path), `/files/${list}/${index}`, safePath)
  for (const [name, value] of Object.entries(environment)) {
    demand(variablePattern.test(name), `/environment/${name}`, 'must have a name of letters, digits and _')
    demand(!value.includes('\0'), `/environment/${name}`, 'must not contain NUL')
  }
  for (const name of Object.keys(privateFiles))
    demand(variablePattern.test(name), '/privateFiles', 'must have names of letters, digits and _ alone')
  if (token !== undefined) demand(variablePattern.test(token.variable), '/token/variable', 'must have letters, digits and _ alone')
  if (terminal !== undefined)
    for (const side of ['columns', 'rows'] as const) demand(isBetween(terminal[side], 1, 1_000), `/terminal/${side}`, 'must be 1 to 1000')
  for (const [index, { port }] of network.forward.entries())
    demand(isBetween(port, 1, maxPort), `/network/forward/${index}/port`, `must be 1 to ${maxPort}`)
  for (const [index, { host, port }] of network.destinations.entries()) {
    demand(hostPattern.test(host), `/network/destinations/${index}/host`, 'must be a name in lower case, an address, or *. and a name')
    demand(port === undefined || isBetween(port, 1, maxPort), `/network/destinations/${index}/port`, `must be 1 to ${maxPort}`)
  }
  for (const [index, port] of network.expose.entries())
    demand(isBetween(port, 1, maxPort), `/network/expose/${index}`, `must be 1 to ${maxPort}`)
  demand(network.loopback === undefined || idPattern.test(network.loopback), '/network/loopback', 'must be 1 to 64 of a-z, 0-9 and -')
  const ports = network.forward.map(({ port }) => port)
  demand(new Set(ports).size === ports.length, '/network/forward', 'must not have a port twice')
  return problems
}

const safePath = 'must be an absolute path without “.”, “..”, empty parts and control characters'

const isSafePath = (path: string): boolean =>
  path === '/' ||
  (path.startsWith('/') &&
    !/[\p{Cc}\p{Surrogate}]/u.test(path) &&
    path
      .slice(1)
      .split('/')
      .every((part) => part !== '' && part !== '.' && part !== '..'))

const isBetween = (value: number, from: number, to: number): boolean => Number.isSafeInteger(value) && value >= from && value <= to
