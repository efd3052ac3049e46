import { isIP } from 'node:net'
import { type AddressClass, classifyAddress } from '@agent-service/sdk/addresses'
import { httpAddressRefusedError, httpConnectionError } from '@agent-service/sdk/services/http-client'
import { matchesHost, parseHostPattern, plainHost, portOf } from './host-pattern.js'
import { isInRanges, type NetworkPermission } from './network-permission.js'

/** One address of a name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** The restrictions and permissions of one request, in addition to those of the manifest. */
export interface RequestScope {
  readonly hosts: readonly string[] | undefined
  readonly ports: readonly number[] | undefined
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
}

/** Decides which addresses one plugin may reach. */
export interface AddressGuard {
  /**
   * Checks a URL before its name is resolved: scheme, host, port, and an address in it. @throws
   * `http_address_refused`
   */
  checkUrl(url: URL, scope: RequestScope): void
  /**
   * Checks the addresses of a name. One refused address refuses all of them. @throws
   * `http_address_refused`
   */
  checkAddresses(host: string, addresses: readonly ResolvedAddress[], allowPrivate: boolean): readonly ResolvedAddress[]
}

const words: Readonly<Record<Exclude<AddressClass, 'public'>, string>> = {
  loopback: 'the machine itself',
  private: 'a private network',
  'link-local': 'a link-local address',
  'carrier-grade-nat': 'the network of a provider',
  metadata: 'the metadata service of a cloud',
  multicast: 'a multicast group',
  unspecified: 'an unspecified address',
  reserved: 'a reserved address',
}

/**
 * Ports from 1024 up that are usual for other protocols, whose servers might read a part of an HTTP
 * request as a command.
 */
const refusedPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
])

/**
 * Makes the guard of one plugin. `ownOrigins` are the origins of the service itself, which are
 * always refused.
 */
export function createAddressGuard({
  permission,
  ownOrigins,
}: {
  readonly permission: NetworkPermission
  readonly ownOrigins: () => readonly string[]
}): AddressGuard {
  const refuse = (host: string, reason: string): never => {
    throw httpAddressRefusedError.create({ host, reason })
  }
  const checkAddress = (host: string, address: string, allowPrivate: boolean): void => {
    const found = classifyAddress(address)
    if (found === 'public') return
    const lead = isIP(host) === 0 ? `the name leads to ${words[found]}` : `it is ${words[found]}`
    if (found === 'metadata') refuse(host, `${lead}, which is always refused.`)
    if (!allowPrivate) refuse(host, `${lead}, and this request may only reach public addresses.`)
    if (!isInRanges(address, permission.ranges))
      refuse(
        host,
        `${lead}, which is not among the network permissions of the plugin. Add the address or its range to the targets in the manifest.`,
      )
  }

  return {
    checkUrl(url, scope) {
      const host = plainHost(url.hostname)
      const port = portOf(url)
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && scope.allowHttp))
        refuse(host, `${url.protocol.slice(0, -1)} is not permitted; use https.`)
      if (ownOrigins().includes(url.origin)) refuse(host, 'it is the service itself.')
      if (scope.hosts && !matchesHost(patternsOf(scope.hosts), host, port))
        refuse(host, 'it is not among the hosts that this request may reach.')
      if (!isPortAllowed(host, port, scope, permission)) refuse(host, `port ${port} is not permitted.`)
      if (isIP(host) === 0) {
        if (!permission.anyPublicHost && !matchesHost(permission.hosts, host, port))
          refuse(
            host,
            'it is not among the network permissions of the plugin. Add it, or * for every public host, to the targets in the manifest.',
          )
        return
      }
      checkAddress(host, host, scope.allowPrivate)
      if (!permission.anyPublicHost && !isInRanges(host, permission.ranges))
        refuse(host, 'the address is not among the network permissions of the plugin. Add it to the targets in the manifest.')
    },
    checkAddresses(host, addresses, allowPrivate) {
      if (addresses.length === 0) throw httpConnectionError.create({ host, reason: 'the name has no address.' })
      for (const { address } of addresses) checkAddress(host, address, allowPrivate)
      return addresses
    },
  }
}

function isPortAllowed(host: string, port: number, { ports }: RequestScope, permission: NetworkPermission): boolean {
  if (ports) return ports.includes(port)
  if (permission.hosts.some((pattern) => pattern.port === port && matchesHost([pattern], host, port))) return true
  return port === 80 || port === 443 || (port >= 1024 && !refusedPorts.has(port))
}

const patternsOf = (hosts: readonly string[]) => hosts.map(parseHostPattern).filter((pattern) => pattern !== undefined)
