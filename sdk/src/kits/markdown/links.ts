import { decoded, visibleText, withoutDirections } from './characters.js'
import { element, type MarkupNode, textOf } from './markup.js'
import type { MarkdownOptions } from './options.js'

/**
 * A link out of the page, or its text alone if it leads to anything but a web page or a mailbox:
 * relative addresses too, which would be those of the page that shows them.
 */
export function linkNodes(href: string, children: readonly MarkupNode[], options: MarkdownOptions): readonly MarkupNode[] {
  const written = decoded(href).trim()
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^(?:https?|mailto):$/.test(url.protocol) || !isOpenTo(url, options)) return children
  // A name in an address could pass for its host, and a text that is reversed for another one.
  url.username = ''
  url.password = ''
  const content = shown(children.flatMap(unlinked), url.href)
  const isMail = url.protocol === 'mailto:'
  const target = isMail ? undefined : '_blank'
  const link = element('a', content, { dir: 'auto', href: url.href, rel: 'noopener noreferrer nofollow', target })
  const isOther = claimsOtherHost(visibleText(textOf(content)), isMail ? mailHost(url) : url.hostname)
  return isOther ? [link, ' ', element('bdi', [`(${isMail ? mailAddress(url) : url.host})`])] : [link]
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
  if (!ownOrigins.includes(url.origin)) return true
  const steps = stepsOf(url.pathname)
  return steps !== undefined && (steps[0] !== 'api' || steps.join('/') === 'api/files/content')
}

/** `undefined` if a path cannot be read. */
function stepsOf(pathname: string): readonly string[] | undefined {
  try {
    const path = decodeURIComponent(pathname).toLowerCase()
    return /[\\%]/.test(path) ? undefined : path.split('/').filter((step) => step !== '' && step !== '.')
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

const mailAddress = ({ pathname }: URL): string => withoutDirections(pathname)
const mailHost = (url: URL): string => mailAddress(url).replace(/^.*@/, '')

/** Whether a word of a link's text is an address at another host. */
function claimsOtherHost(text: string, host: string): boolean {
  return text.split(/[\s<>()[\]{}"'„“”‘’«»|,;]+/u).some((word) => {
    const scheme = /^[a-z][a-z\d+.-]*:[\\/]+|^\/\//i.exec(word)?.[0] ?? ''
    const [authority = ''] = word.slice(scheme.length).split(/[\\/?#]/)
    const parts = authority.replace(/(?<![.:!])[.:!]+$/, '').split('@')
    if (scheme !== '' && parts.length > 1) return true
    const claimed = (parts.at(-1) ?? '').replace(/:\d*$/, '')
    return (scheme === '' ? isHostName(claimed) : claimed !== '') && hostOf(claimed) !== hostOf(host)
  })
}

/** Endings of file names that are no domains. */
const fileEndings =
  /\.(?:bat|c|cfg|conf|cpp|css|csv|docx?|exe|html?|ini|java|jpe?g|js|json|jsx|log|pdf|php|png|pptx?|sql|svg|tgz|toml|tsx?|txt|vue|xlsx?|xml|ya?ml)$/i

const isHostName = (word: string): boolean =>
  /^(?:[\p{L}\p{N}_][\p{L}\p{N}_-]*\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)$/iu.test(word)
    ? !fileEndings.test(word)
    : /^\d{1,3}(?:\.\d{1,3}){3}$/.test(word)

function hostOf(name: string): string {
  const address = `http://${name}`
  const host = URL.canParse(address) ? new URL(address).hostname : name.toLowerCase()
  return host.replace(/^www\./, '').replace(/\.$/, '')
}
