import ipaddr from 'ipaddr.js'

/**
 * The class of an address. All but `public` ones need a permission that names them; `metadata` ones
 * are always refused.
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
  const plain = address.replace(/%.*$/, '')
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return classOf(ipaddr.IPv4.parse(plain))
  if (!ipaddr.IPv6.isValid(plain)) return 'reserved'
  const parsed = ipaddr.IPv6.parse(plain)
  const embedded = embeddedAddress(parsed)
  if (embedded) return classOf(embedded)
  const found = classOf(parsed)
  return found === 'public' && !parsed.match(globalUnicast) ? 'reserved' : found
}

/** The IPv4 address that an IPv6 address contains. */
export function embeddedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(translated) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : undefined
}

function classOf(address: ipaddr.IPv4 | ipaddr.IPv6): AddressClass {
  return metadataAddresses.has(address.toString()) ? 'metadata' : (classes[address.range()] ?? 'reserved')
}
