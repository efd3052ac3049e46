/** A provider that the specification names. */
export interface BuiltInOption {
  /** The value of `search.provider`. */
  readonly id: string
  /** For people. */
  readonly title: string
  /** The plugin that has it. */
  readonly plugin: string
  /** The variable of its key. Absent: it needs `search.selfhosted_base_url`. */
  readonly variable?: string
}

/** In the order in which they are looked at while `search.provider` is not set. */
export const builtInOptions: readonly BuiltInOption[] = [
  { id: 'hosted_a', title: 'Tavily', plugin: 'search-tavily', variable: 'TAVILY_API_KEY' },
  { id: 'hosted_b', title: 'Brave Search', plugin: 'search-brave', variable: 'BRAVE_API_KEY' },
  { id: 'selfhosted', title: 'SearXNG', plugin: 'search-searxng' },
]
