import { isIP } from 'node:net'
import { classifyAddress, plainAddress } from '@agent-service/sdk/addresses'
import type { Judgement } from '@agent-service/sdk/egress-proxy'
import type { Urls } from '@agent-service/sdk/services/urls'

/** Decides what pages may load. */
export interface PageGuard {
  /** Why a page may not load this address, for people; `undefined` if nothing in the address is against it. */
  refusalOf(url: string): string | undefined
  /** Whether a connection to this host, or to one of its addresses, may be made. */
  allows(destination: { readonly host: string; readonly port: number; readonly address?: string }): boolean
  /** How the proxy judges names and addresses. */
  readonly judgement: Judgement
}

/** What only tests replace: which addresses count as public, and what names lead to. */
export interface GuardOptions extends Judgement {
  /** Whether a connection may be made that is otherwise open. */
  readonly isOpen?: (address: string, port: number) => boolean
}

/** They load nothing, or what the page itself has made. */
const harmlessSchemes: ReadonlySet<string> = new Set(['about:', 'blob:', 'data:'])
const webSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])

/** Makes the guard of all pages: public addresses alone, by the web’s own schemes, and never the service itself. */
export function createPageGuard(urls: Pick<Urls, 'api' | 'page' | 'external'>, options: GuardOptions = {}): PageGuard {
  const { isPublic = (address: string) => classifyAddress(address) === 'public', isOpen = () => true } = options
  const isOwn = (host: string, port: number): boolean =>
    [urls.api('/'), urls.page('/'), urls.external('/')].some((text) => {
      const url = new URL(text)
      return plainHost(url.hostname) === host && portOf(url) === port
    })
  const reasonAgainst = (host: string, port: number): string | undefined => {
    if (isOwn(host, port)) return 'it is this service itself'
    if (port !== 80 && port !== 443 && port < 1024) return `the port ${port} is not one of the web`
    if (isIP(host) !== 0 && !(isPublic(host) && isOpen(host, port))) return 'the address is not public'
    if (host === 'localhost' || host.endsWith('.localhost')) return 'the address is not public'
    return undefined
  }
  return {
    judgement: options,
    refusalOf(text) {
      if (!URL.canParse(text)) return 'it is no absolute address'
      const url = new URL(text)
      if (harmlessSchemes.has(url.protocol)) return undefined
      if (!webSchemes.has(url.protocol)) return `addresses with ${url.protocol} are closed`
      return reasonAgainst(plainHost(url.hostname), portOf(url))
    },
    allows({ host, port, address }) {
      if (reasonAgainst(host, port) !== undefined) return false
      return address === undefined || (!isOwn(address, port) && isOpen(address, port))
    },
  }
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) : Number(port))

/** An address in its one form, a name without the dot at its end. */
function plainHost(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return isIP(bare) === 0 ? bare.toLowerCase() : (plainAddress(bare) ?? bare)
}
