import { canonicalJson, ServiceError, Type } from '@agent-service/sdk'
import { defineTool, type Tool, type ToolResult, type ToolScope } from '@agent-service/sdk/contracts/tool'
import { pageAnswer } from './page-answer.js'
import type { WebPages } from './web-pages.js'

const maxToolMs = 120_000
/** Longer ones are not named: a person would not read them. */
const maxOriginLength = 120

/** What the tool can do here; its description says so. */
export interface WebFetchAbilities {
  /** HTML, PDF and office documents are read. */
  readonly documents: boolean
  /** There may be a browser that runs scripts. */
  readonly rendering: boolean
}

/** The tool `web_fetch`. */
export function createWebFetchTool(pages: WebPages, { documents, rendering }: WebFetchAbilities): Tool {
  const read = documents
    ? 'Web pages come as readable Markdown with absolute links; PDF, office documents, e-mail, JSON and plain text as text.'
    : 'Only plain text and JSON can be read; raw: true gives the source of a web page.'
  return defineTool({
    name: 'web_fetch',
    title: 'Read a web page',
    display: {
      icon: 'web',
      words: {
        en: {
          title: 'Read a web page',
          ask: 'Read {url}',
          running: 'Reading {url}',
          done: 'Read {url}',
          failed: 'Could not read {url}',
        },
        de: {
          title: 'Webseite lesen',
          ask: '{url} lesen',
          running: 'Liest {url}',
          done: '{url} gelesen',
          failed: 'Konnte {url} nicht lesen',
        },
      },
    },
    description: `Reads a page of the public web at an http or https address. ${read} A long page comes in parts: go on with start. Addresses of private networks are refused.`,
    parameters: Type.Object({
      url: Type.String({ minLength: 8, maxLength: 4_096, description: 'The absolute address, such as https://example.org/page.' }),
      start: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 10_000_000,
          description: 'The character to go on from, as the answer before has said it. Default 0.',
        }),
      ),
      raw: Type.Optional(Type.Boolean({ description: 'The source, such as HTML, instead of the readable text. Default false.' })),
      ...(rendering && {
        render: Type.Optional(
          Type.Boolean({
            description: 'Load the page in a browser and run its scripts first. Default: only if it has nearly no text without.',
          }),
        ),
      }),
    }),
    effect: 'read',
    timeoutMs: maxToolMs,
    scopes: ({ url }) => scopesOf(url),
    purpose: ({ url }) => `Read ${url.slice(0, 300)}`,
    async execute(input, { userId, signal }) {
      const { url: asked, start = 0, raw = false } = input
      const render = 'render' in input && input.render === true
      const url = withoutFragment(asked)
      if (url === undefined)
        return failure('The address has to be absolute and begin with http:// or https://, such as https://example.org/page.')
      try {
        const page = await pages.open({ userId, url, raw, render, signal })
        if (start > 0 && start >= page.text.length)
          return failure(`The page has ${page.text.length} characters; start: ${start} is past its end.`)
        const answer = pageAnswer(page, { asked: url, start })
        return { content: [{ type: 'text', text: answer }], ...(page.status >= 400 && { isError: true }) }
      } catch (error) {
        signal.throwIfAborted()
        if (!ServiceError.isInstance(error)) throw error
        return failure(`The page was not read. ${error.message}`)
      }
    },
  })
}

const failure = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

/** The address as every other part sees it; undefined if it is not an address of the web. */
function withoutFragment(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.hash = ''
  return url.href
}

/** The site of the address, and all sites. None of an address that holds a password, or is none. */
function scopesOf(text: string): readonly ToolScope[] {
  const url = withoutFragment(text)
  if (url === undefined) return []
  const { origin, username, password } = new URL(url)
  if (username !== '' || password !== '') return []
  return [
    ...(origin.length <= maxOriginLength
      ? [{ key: canonicalJson(['site', origin]), label: `Read pages of ${origin}, and those that it leads to` }]
      : []),
    { key: canonicalJson(['web']), label: 'Read every page of the web' },
  ]
}
