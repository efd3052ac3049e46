import { isProbablyReaderable, Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { tooCostly } from '../common/failures.js'
import type { About, ReadFormat } from '../common/format.js'
import { htmlToMarkdown } from '../markdown/html-to-markdown.js'
import { decodeText } from './decode-text.js'
import { nestsDeeperThan } from './html-depth.js'

/** A tree of a larger or deeper page takes too much memory or time. */
const maxPageCharacters = 16 * 1024 * 1024
const maxDepth = 1_000
/** Of a page with more elements, the main content is not looked for. */
const maxElements = 50_000
/** A shorter article is taken for a mistake, and the whole page is read. */
const minArticleLength = 140

/** The parts of linkedom's tree that are used here. */
interface Element {
  readonly textContent: string | null
  readonly innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  remove(): void
}
interface Page {
  readonly body: Element | null
  readonly documentElement: Element | null
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element>
}

/** A page as Markdown: its main content, or all of it if there is no article. */
export const readHtml: ReadFormat = async ({ bytes, baseUrl, sink }) => {
  const { markdown, ...about } = readPage(decodeText(bytes, { html: true }).text, baseUrl)
  sink.add(markdown)
  return about
}

/** What a page says, and of itself. Links are absolute where an address is known. */
export function readPage(html: string, baseUrl: string | undefined): About & { readonly markdown: string } {
  if (html.length > maxPageCharacters) throw tooCostly(`${maxPageCharacters / 1024 / 1024} million characters of HTML`)
  if (nestsDeeperThan(html, maxDepth)) throw tooCostly(`${maxDepth.toLocaleString('en')} levels of nesting`)
  const page = parse(html)
  const title = page.querySelector('title')?.textContent?.trim()
  const language = page.documentElement?.getAttribute('lang') ?? undefined
  removeUnseen(page)
  makeAbsolute(page, baseUrl)
  const whole = page.body?.innerHTML ?? ''
  const article = articleIn(page)
  const details = {
    author: article?.byline ?? undefined,
    site: article?.siteName ?? undefined,
    published: article?.publishedTime ?? undefined,
    language: article?.lang ?? language,
  }
  return { title: article?.title || title, details, markdown: htmlToMarkdown(article?.content ?? whole) }
}

function parse(html: string): Page {
  const { document } = parseHTML(html) as unknown as { readonly document: Page }
  // A piece of HTML has no body of its own.
  if (document.body && document.body.innerHTML.trim() !== '') return document
  const wrapped = parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`) as unknown as { readonly document: Page }
  return wrapped.document
}

function articleIn(page: Page): ReturnType<Readability<string>['parse']> | undefined {
  const document = page as never
  if ([...page.querySelectorAll('*')].length > maxElements || !isProbablyReaderable(document)) return undefined
  const article = new Readability<string>(document).parse()
  return (article?.textContent?.trim().length ?? 0) < minArticleLength ? undefined : article
}

/** What people do not see is not for a model either: it is the place for hidden instructions. */
function removeUnseen(page: Page): void {
  for (const element of page.querySelectorAll('script, style, noscript, template, iframe, object, svg, [hidden], [aria-hidden="true"]'))
    element.remove()
  for (const element of page.querySelectorAll('[style]'))
    if (/display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])/i.test(element.getAttribute('style') ?? ''))
      element.remove()
}

function makeAbsolute(page: Page, baseUrl: string | undefined): void {
  const base = resolve(page.querySelector('base[href]')?.getAttribute('href') ?? '', baseUrl) ?? baseUrl
  for (const [selector, attribute] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const)
    for (const element of page.querySelectorAll(selector)) {
      const given = element.getAttribute(attribute) ?? ''
      if (given.startsWith('#')) continue
      const address = resolve(given, base)
      if (address === undefined) {
        if (/^[a-z][a-z\d+.-]*:/i.test(given.trim())) element.removeAttribute(attribute)
      } else element.setAttribute(attribute, address)
    }
}

/** An address that people can open; undefined for any other, and for a relative one without a base. */
function resolve(given: string, base: string | undefined): string | undefined {
  if (!URL.canParse(given, base)) return undefined
  const { protocol, href } = new URL(given, base)
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined
}
