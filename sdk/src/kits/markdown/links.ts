import { decoded, decodedComponent, visibleText, withoutDirections } from './characters.js'
import { claimsOtherHost } from './claimed-hosts.js'
import { type MailTarget, mailTarget, sameAddress } from './mail-address.js'
import { element, type MarkupNode, textOf } from './markup.js'
import type { MarkdownOptions } from './options.js'

/**
 * A link out of the page, or its text alone if it leads to anything but a web page or one mailbox:
 * relative addresses too, which would be those of the page that shows them.
 */
export function linkNodes(href: string, children: readonly MarkupNode[], options: MarkdownOptions): readonly MarkupNode[] {
  const written = decoded(href).trim()
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url?.protocol === 'mailto:') return mailNodes(url, children)
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isOpenTo(url, options)) return children
  // A name in an address could pass for its host, and a text that is reversed for another one.
  url.username = ''
  url.password = ''
  const content = shown(children.flatMap(unlinked), url.href)
  const link = anchor(url.href, content, '_blank')
  const text = visibleText(textOf(content))
  return isItself(text, url) || !claimsOtherHost(text, url.hostname) ? [link] : [link, ' ', element('bdi', [`(${url.host})`])]
}

function mailNodes(url: URL, children: readonly MarkupNode[]): readonly MarkupNode[] {
  const target = mailTarget(url)
  if (target === undefined) return children
  const content = shown(children.flatMap(unlinked), target.address)
  const link = anchor(target.href, content)
  const isOther = claimsOtherMailbox(visibleText(textOf(content)), target)
  return isOther ? [link, ' ', element('bdi', [`(${target.address})`])] : [link]
}

const anchor = (href: string, content: readonly MarkupNode[], target?: string): MarkupNode =>
  element('a', content, { dir: 'auto', href, rel: 'noopener noreferrer nofollow', target })

/** A text that is the whole address has nothing in it that is no part of it. */
const isItself = (text: string, url: URL): boolean => /^[!-~]+$/.test(text) && URL.canParse(text) && new URL(text).href === url.href

/** Whether a text names another mailbox, or another host beside it. */
function claimsOtherMailbox(text: string, { address, host }: MailTarget): boolean {
  const words = text.split(/[\s<>()[\]{}"„“”‘’«»,;:]+/u).map((word) => word.replace(/(?<![.!*])[.!*]+$/, ''))
  const others = words.filter((word) => sameAddress(word) !== address.toLowerCase())
  return others.some((word) => word.includes('@')) || claimsOtherHost(others.join(' '), host)
}

/** A link without words is shown by its address. */
const shown = (children: readonly MarkupNode[], address: string): readonly MarkupNode[] =>
  visibleText(textOf(children)).trim() === '' ? [withoutDirections(address)] : children

/** A picture in a link was made a link too, and links do not nest. */
function unlinked(node: MarkupNode): readonly MarkupNode[] {
  if (typeof node === 'string') return [withoutDirections(node)]
  const children = node.children.flatMap(unlinked)
  return node.name === 'a' ? children : [{ ...node, children }]
}

/**
 * The service trusts requests that its own pages begin more than others. So a foreign link leads to
 * its pages and to a file, and begins nothing else.
 */
function isOpenTo(url: URL, { ownOrigins = [] }: MarkdownOptions): boolean {
  if (!ownOrigins.some((origin) => placeOf(new URL(origin)) === placeOf(url))) return true
  const steps = stepsOf(url.pathname)
  if (steps === undefined) return false
  // The service may be below a path, and a proxy may take that away more than once.
  const api = steps.indexOf('api')
  return api === -1 || steps.slice(api).join('/') === 'api/files/content'
}

/** Name and port, whatever the scheme: a service that answers at one may lead from the other to it. */
const placeOf = ({ hostname, port }: URL): string => `${hostname.replace(/\.$/, '')}:${port === '80' || port === '443' ? '' : port}`

/** `undefined` if a path cannot be read, or could be read as another one. */
function stepsOf(pathname: string): readonly string[] | undefined {
  const path = decodedComponent(pathname)?.toLowerCase()
  if (path === undefined || /[\\%]/.test(path)) return undefined
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  return steps.includes('..') ? undefined : steps
}
