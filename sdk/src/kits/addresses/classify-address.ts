import ipaddr from 'ipaddr.js'

/**
 * The class of an address. Connections that someone else chose lead to `public` ones alone, unless a
 * permission names another; those of class `metadata` are always refused.
 */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'carrier-grade-nat'
  | 'metadata'
  | 'multicast'
  | 'unspecified'
  | 'reserved'

/**
 * The addresses at which clouds give a machine its credentials. Some lie in ranges that are
 * otherwise public or private.
 */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.169.253',
  '169.254.169.123',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::123',
  'fd00:ec2::23',
  'fd20:ce::254',
])

const classes: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  linkLocal: 'link-local',
  carrierGradeNat: 'carrier-grade-nat',
  multicast: 'multicast',
  unspecified: 'unspecified',
}

/** All addresses assigned for the public internet; every other one counts as reserved. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * IPv4 addresses behind a translating gateway (RFC 6052). The operator decides where the local
 * prefix of RFC 8215 leads, so it counts as reserved.
 */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Classifies an address as written by the operating system: IPv4 with four parts, IPv6 with or
 * without a zone. A form that contains an IPv4 address (mapped, NAT64) counts as that address. Any
 * other text counts as `reserved`.
 */
export function classifyAddress(address: string): AddressClass {
  const plain = parse(address)
  if (plain === undefined) return 'reserved'
  if (metadataAddresses.has(plain.toString())) return 'metadata'
  const found = classes[plain.range()] ?? 'reserved'
  return found === 'public' && plain.kind() === 'ipv6' && !plain.match(globalUnicast) ? 'reserved' : found
}

/**
 * An address in the one form in which equal ones are equal: in lower case, without a zone, and the
 * IPv4 address alone of a form that contains one. `undefined` for any other text.
 */
export function plainAddress(address: string): string | undefined {
  return parse(address)?.toString()
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const plain = address.replace(/%.*$/, '')
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return ipaddr.IPv4.parse(plain)
  if (!ipaddr.IPv6.isValid(plain)) return undefined
  const parsed = ipaddr.IPv6.parse(plain)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address()
  return parsed.match(translated) ? new ipaddr.IPv4(parsed.toByteArray().slice(12)) : parsed
}
