import { isIP } from 'node:net'
import { type Environment, variableValue } from './expand-references.js'

/** A variable that tells a container where a neighbour is. */
export interface ServiceLink {
  /** The neighbour, as its variables spell it: `SERVICE_SERVER` of the Service `service-server`. */
  readonly neighbour: string
  /**
   * Whether its name can only be that of a link. False for the free names of Docker's links (`…_NAME`, `…_ENV_…`), which
   * a misspelt setting could have too.
   */
  readonly certain: boolean
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535
const isAddress = (text: string): boolean => isIP(text) !== 0
const isProtocol = (text: string): boolean => /^(tcp|udp|sctp)$/.test(text)
/** `tcp://10.96.0.7:3001`, `udp://[fd00::7]:53` */
const isPlace = (text: string): boolean => {
  const [, bracketed, plain = '', port = ''] = /^(?:tcp|udp|sctp):\/\/(?:\[([^\]]+)\]|(.+)):(\d+)$/.exec(text) ?? []
  return isAddress(bracketed ?? plain) && isPort(port)
}

/** The names of links, and what their values look like. Kubernetes made them after those of Docker. */
const forms: readonly (readonly [name: RegExp, holds: (text: string) => boolean])[] = [
  [/^(.+)_SERVICE_HOST$/, isAddress],
  [/^(.+)_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, isPort],
  [/^(.+)_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_START|_END)?)?$/, isPlace],
  [/^(.+)_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, isProtocol],
  [/^(.+)_PORT_\d+_(?:TCP|UDP|SCTP)_PORT(?:_START|_END)?$/, isPort],
  [/^(.+)_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, isAddress],
]

/**
 * The variables below a prefix that Kubernetes puts into every container for each Service of its namespace, or Docker for
 * each linked container. Both name and value must have the form, and the neighbour must have told its place: by a value
 * such as `tcp://10.96.0.7:3001`, or by address and port.
 */
export function findServiceLinks(environment: Environment, prefix: string): ReadonlyMap<string, ServiceLink> {
  const texts = new Map(
    Object.keys(environment)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, variableValue(environment, name)?.trim() ?? '']),
  )
  const has = (name: string, holds: (text: string) => boolean): boolean => holds(texts.get(name) ?? '')
  const tellsPlace = (neighbour: string): boolean => has(`${neighbour}_SERVICE_HOST`, isAddress) && has(`${neighbour}_SERVICE_PORT`, isPort)
  const candidates = [...texts].map(([name, text]) => ({ name, text, neighbours: neighboursOf(name, text) }))
  const places = new Set(candidates.flatMap(({ text, neighbours }) => (isPlace(text) ? neighbours : neighbours.filter(tellsPlace))))
  const links = new Map<string, ServiceLink>()
  for (const { name, text, neighbours } of candidates) {
    const neighbour = neighbours.find((candidate) => places.has(candidate))
    const link = neighbour === undefined ? linkOfDocker(name, text, places) : { neighbour, certain: true }
    if (link) links.set(name, link)
  }
  return links
}

const neighboursOf = (name: string, text: string): readonly string[] =>
  forms.flatMap(([pattern, holds]) => (holds(text) ? (pattern.exec(name)?.slice(1, 2) ?? []) : []))

/** `SERVICE_DB_NAME=/web/service-db`, `SERVICE_DB_ENV_…` with any value */
function linkOfDocker(name: string, text: string, places: ReadonlySet<string>): ServiceLink | undefined {
  const alias = /^\/[^/]+\/([^/]+)$/.exec(text)?.[1]
  for (const neighbour of places) {
    if (name === `${neighbour}_NAME` && alias !== undefined)
      return { neighbour, certain: alias.toUpperCase().replaceAll('-', '_') === neighbour }
    if (name.startsWith(`${neighbour}_ENV_`)) return { neighbour, certain: false }
  }
  return undefined
}

const maxNamed = 20

/** What to tell an operator about links that are ignored; `undefined` if there are none. */
export function describeServiceLinks(ignored: ReadonlyMap<string, ServiceLink>): string | undefined {
  if (ignored.size === 0) return undefined
  const names = [...ignored.keys()]
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  const neighbours = new Set([...ignored.values()].map(({ neighbour }) => neighbour.toLowerCase().replaceAll('_', '-')))
  return `${names.slice(0, maxNamed).join(', ')}${more}: not a setting but the place of a neighbour (${[...neighbours].join(', ')}), as Kubernetes and Docker set it; ignored. Set enableServiceLinks: false in the specification of the pod to be without such variables`
}
