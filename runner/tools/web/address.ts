import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that are not of the open internet: this machine, its networks, and what leads back to them (RFC 6890 and its kin). */
const PRIVATE = { ipv4: new BlockList(), ipv6: new BlockList() }
const V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Addresses of IPv6 that hold one of IPv4 (mapped, NAT64, 6to4, Teredo) are taken for private ones: they have no use in an address of a page. */
const V6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]
for (const [list, family] of [
  [V4, 'ipv4'],
  [V6, 'ipv6'],
] as const) {
  for (const subnet of list) {
    const [net, bits] = subnet.split('/') as [string, string]
    PRIVATE[family].addSubnet(net, Number(bits), family)
  }
}

export function isPrivate(address: string): boolean {
  const version = isIP(address)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return version === 0 || PRIVATE[family].check(address, family)
}

/** A host that cannot be connected to because of where it is. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress'
}

/** The host of a URL as an address, when it is one: `[::1]` without its brackets. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/**
 * Looks a name up once, for the connection itself: what was checked is what is connected to, whatever the name means a moment later
 * (DNS rebinding). One private address among several is enough to refuse the name.
 */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const wrong = addresses.find(({ address }) => isPrivate(address))
    if (wrong) return done(new PrivateAddress(`${hostname} leads to ${wrong.address}`), '', 0)
    if (options.all) return done(null, addresses)
    done(null, addresses[0]!.address, addresses[0]!.family)
  })
}
