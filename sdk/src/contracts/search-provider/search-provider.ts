import type { Contribution } from '../../core/contribution-point.js'

/** How a provider is reached, as every call gets it. */
export interface SearchConnection {
  /** The value of {@link SearchProvider.keyVariable}. Absent for a provider without one. */
  readonly apiKey?: string
  /** `search.selfhosted_base_url`, for a provider with {@link SearchProvider.selfHosted}; without a slash at its end. */
  readonly baseUrl?: string
}

/** What to look for. */
export interface SearchQuery {
  /** 1 to 400 characters. */
  readonly text: string
  /** The most results; 1 to 20. */
  readonly limit: number
  /** Only pages that are as new, where the provider can tell. Default: any. */
  readonly freshness?: 'day' | 'week' | 'month' | 'year'
  /** The language of the pages, by BCP 47, where the provider can tell: `de`. Default: any. */
  readonly language?: string
}

/** One page that was found. */
export interface SearchResult {
  /** Absolute, `http` or `https`. */
  readonly url: string
  /** Plain text, one line, at most 300 characters. */
  readonly title: string
  /** Plain text out of the page, at most 2,000 characters; may be empty. */
  readonly snippet: string
  /** When the page was published, by the provider, RFC 3339 or a date. Absent: unknown. */
  readonly publishedAt?: string
}

/**
 * Searches the web with one engine. Stateless; retries are the caller's. The key is in no error, log
 * or address. Fails with the errors of this contract only, all `search_…`; an abort rejects with the
 * signal's reason.
 */
export interface SearchProvider extends Contribution {
  /** The generation of this contract that the provider is written for. */
  readonly specVersion: 1
  /** `^[a-z][a-z0-9_-]{0,63}$`, the value of `search.provider`. Unique in a deployment. */
  readonly id: string
  /** For people: “Brave Search”. One line. */
  readonly title: string
  /** The variable of the service's environment that holds its API key. Absent: it needs none. */
  readonly keyVariable?: string
  /** Whether it is an instance at `search.selfhosted_base_url`. Default false. */
  readonly selfHosted?: boolean
  /**
   * The results, best first, none twice. Fewer than `limit` if there are no more; none is an answer,
   * not a failure. @throws `search_unauthorized`, `search_rate_limited`, `search_unavailable`,
   * `search_query_refused`.
   */
  search(
    query: SearchQuery,
    connection: SearchConnection,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly results: readonly SearchResult[] }>
}
