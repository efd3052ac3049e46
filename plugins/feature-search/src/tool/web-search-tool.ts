import { ServiceError, Type } from '@agent-service/sdk'
import { searchRateLimitedError, searchUnauthorizedError } from '@agent-service/sdk/contracts/search-provider'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'
import type { WebSearch } from '../searching/web-search.js'
import { resultsText } from './results-text.js'

const defaultLimit = 5
const maxToolMs = 90_000

/** The tool `web_search`. While no provider can be used, no agent has it. */
export const createWebSearchTool = ({
  search,
  isAvailable,
}: {
  readonly search: Pick<WebSearch, 'search'>
  readonly isAvailable: () => boolean
}): Tool =>
  defineTool({
    name: 'web_search',
    title: 'Search the web',
    display: {
      icon: 'search',
      words: {
        en: {
          title: 'Search the web',
          ask: 'Search the web for “{query}”',
          running: 'Searching the web for “{query}”',
          done: 'Searched the web for “{query}”',
          failed: 'Could not search the web for “{query}”',
        },
        de: {
          title: 'Im Web suchen',
          ask: 'Im Web nach „{query}“ suchen',
          running: 'Sucht im Web nach „{query}“',
          done: 'Im Web nach „{query}“ gesucht',
          failed: 'Konnte im Web nicht nach „{query}“ suchen',
        },
      },
    },
    description:
      'Searches the web and answers with titles, addresses and short texts of pages, the best first. Use it for what may have changed since you were trained, and to find addresses; read a page with web_fetch.',
    parameters: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 400, pattern: '\\S', description: 'What to look for, in a few words.' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: `The most results. Default ${defaultLimit}.` })),
      freshness: Type.Optional(
        Type.Union([Type.Literal('day'), Type.Literal('week'), Type.Literal('month'), Type.Literal('year')], {
          description: 'Only pages that are as new as that.',
        }),
      ),
      language: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
          maxLength: 35,
          description: 'The language of the pages, such as de or pt-BR. Default: any.',
        }),
      ),
    }),
    effect: 'read',
    timeoutMs: maxToolMs,
    offered: isAvailable,
    purpose: ({ query }) => `Search the web for “${query.slice(0, 200)}”`,
    async execute({ query, limit = defaultLimit, freshness, language }, { userId, signal }) {
      const text = query.trim()
      try {
        const wanted = { text, limit, ...(freshness !== undefined && { freshness }), ...(language !== undefined && { language }) }
        return resultsText(await search.search(wanted, { userId, signal }), text)
      } catch (error) {
        signal.throwIfAborted()
        if (!ServiceError.isInstance(error)) throw error
        return { isError: true, content: [{ type: 'text', text: `Nothing was searched. ${error.message}${adviceFor(error)}` }] }
      }
    },
  })

/** What the model can do about it. */
function adviceFor(error: ServiceError): string {
  if (searchUnauthorizedError.isInstance(error)) return ' Trying again does not help; tell the person.'
  if (searchRateLimitedError.isInstance(error)) return ' Go on without searching, or try again later.'
  return ''
}
