import { type Static, Type } from '@agent-service/sdk'

/** Section `search`. Providers of third parties extend the place `provider` with their id as the variant. */
export const searchSection = Type.Object(
  {
    provider: Type.Optional(
      Type.Union([Type.Literal('hosted_a'), Type.Literal('hosted_b'), Type.Literal('selfhosted')], {
        description:
          'The provider: hosted_a (Tavily), hosted_b (Brave Search), selfhosted (SearXNG), or one that an installed plugin adds. It is never replaced by another one.',
      }),
    ),
    selfhosted_base_url: Type.Optional(
      Type.String({ description: 'Address of the SearXNG instance.', format: 'http-url', examples: ['http://searxng:8080'] }),
    ),
  },
  {
    title: 'Web search',
    description:
      'Web search. Without a provider, the first one of Tavily (TAVILY_API_KEY), Brave Search (BRAVE_API_KEY) and SearXNG that is set up is used.',
    'x-extension-place': 'provider',
    'x-variant-member': 'provider',
  },
)

export type SearchSettings = Static<typeof searchSection>
