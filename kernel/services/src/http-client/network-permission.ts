import { isIP } from 'node:net'
import type { PluginManifest } from '@agent-service/sdk'
import { plainAddress } from '@agent-service/sdk/addresses'
import ipaddr from 'ipaddr.js'
import { type HostPattern, parseHostPattern } from './host-pattern.js'

/** The addresses that the manifest of a plugin permits. */
export interface NetworkPermission {
  /** The target `*`: every public host. */
  readonly anyPublicHost: boolean
  /** Host names, with their ports. */
  readonly hosts: readonly HostPattern[]
  /** Addresses and ranges. Addresses that are not public are only permitted here. */
  readonly ranges: readonly AddressRange[]
}

type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Reads the `network` permissions: a target is `*`, a host name (also `*.example.com`, also with a
 * port), the URL of a host, an IP address or a range such as `10.0.0.0/8`. JSON pointers into the
 * configuration refer to such texts or to lists of them.
 */
export function readNetworkPermission(manifest: Pick<PluginManifest, 'permissions'>, configuration: unknown): NetworkPermission {
  const targets = (manifest.permissions ?? [])
    .filter(({ kind }) => kind === 'network')
    .flatMap((permission) => [
      ...(permission.targets ?? []),
      ...(permission.targetsFromConfiguration ?? []).flatMap((pointer) => textsAt(configuration, pointer)),
    ])
  const ranges = targets.map(rangeOf).filter((range) => range !== undefined)
  const hosts = targets
    .filter((target) => target !== '*' && rangeOf(target) === undefined)
    .map(parseHostPattern)
    .filter((pattern) => pattern !== undefined)
  return { anyPublicHost: targets.includes('*'), hosts, ranges }
}

/**
 * Whether an address lies in one of the ranges. A form that contains an IPv4 address counts as that
 * address.
 */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const plain = ipaddr.parse(plainAddress(address) ?? address)
  return ranges.some(([network, bits]) => network.kind() === plain.kind() && plain.match(network, bits))
}

function rangeOf(target: string): AddressRange | undefined {
  const bare = target.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) {
    const address = ipaddr.parse(bare)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  }
  return ipaddr.isValidCIDR(bare) ? ipaddr.parseCIDR(bare) : undefined
}

function textsAt(configuration: unknown, pointer: string): readonly string[] {
  let value = configuration
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  }
  return (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')
}
