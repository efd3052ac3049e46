import { defineSearchProvider, type SearchProvider } from '@agent-service/sdk/contracts/search-provider'
import { expect } from 'chai'
import { rules } from '../rules.js'
import { chooseProvider, examineProvider } from './choose-provider.js'

const provider = (id: string, title: string, more: Partial<SearchProvider> = {}): SearchProvider =>
  defineSearchProvider({ id, title, search: async () => ({ results: [] }), ...more })

const builtIn = [
  provider('hosted_a', 'Tavily', { keyVariable: 'TAVILY_API_KEY' }),
  provider('hosted_b', 'Brave Search', { keyVariable: 'BRAVE_API_KEY' }),
  provider('selfhosted', 'SearXNG', { selfHosted: true }),
]

interface Case {
  readonly configured?: string
  readonly keys?: readonly string[]
  readonly baseUrl?: string
  readonly more?: readonly SearchProvider[]
  readonly without?: string
}

const factsOf = ({ configured, keys = [], baseUrl, more = [], without }: Case) => ({
  ...{ configured, baseUrl, providers: [...builtIn.filter(({ id }) => id !== without), ...more] },
  variable: (name: string) => (keys.includes(name) ? `value of ${name}` : undefined),
})

const [tavily, brave, baseUrl] = ['TAVILY_API_KEY', 'BRAVE_API_KEY', 'http://searxng:8080/']

describe('the choice of a search provider', () => {
  const chosen: readonly (readonly [string, Case, string])[] = [
    ['Tavily first', { keys: [tavily, brave], baseUrl }, 'hosted_a'],
    ['Brave Search without a key for Tavily', { keys: [brave], baseUrl }, 'hosted_b'],
    ['SearXNG without any key', { baseUrl }, 'selfhosted'],
    ['the configured one, whatever else is set', { configured: 'hosted_b', keys: [tavily, brave], baseUrl }, 'hosted_b'],
    ['the configured instance beside keys', { configured: 'selfhosted', keys: [tavily, brave], baseUrl }, 'selfhosted'],
    ['an installed one that is configured', { configured: 'town', keys: [tavily], more: [provider('town', 'Town')] }, 'town'],
  ]
  for (const [what, facts, id] of chosen) {
    it(`is ${what}`, () => {
      const choice = chooseProvider(factsOf(facts))
      expect([choice.available, choice.id]).to.deep.equal([true, id])
    })
  }

  const unavailable: readonly (readonly [string, Case, RegExp])[] = [
    ['nothing is set', {}, /^none of TAVILY_API_KEY, BRAVE_API_KEY, search.selfhosted_base_url is set$/],
    [
      'Tavily is configured without its key',
      { configured: 'hosted_a', keys: [brave], baseUrl },
      /^Tavily needs the variable TAVILY_API_KEY/,
    ],
    [
      'Brave Search is configured without its key',
      { configured: 'hosted_b', keys: [tavily], baseUrl },
      /^Brave Search needs .* BRAVE_API_KEY/,
    ],
    [
      'SearXNG is configured without its address',
      { configured: 'selfhosted', keys: [tavily] },
      /^SearXNG needs search.selfhosted_base_url/,
    ],
    [
      'the plugin of the first option does not run',
      { keys: [tavily, brave], without: 'hosted_a' },
      /^the plugin search-tavily does not run$/,
    ],
    ['no plugin has the provider', { configured: 'town', keys: [tavily] }, /no plugin that runs has the provider “town”/],
    ['only an installed provider is there', { more: [provider('town', 'Town')] }, /^none of/],
    [
      'an installed provider lacks its key',
      { configured: 'town', keys: [tavily], more: [provider('town', 'Town', { keyVariable: 'TOWN_KEY' })] },
      /^Town needs the variable TOWN_KEY/,
    ],
    [
      'a provider asks for a secret of the service',
      {
        ...{ configured: 'town', keys: ['SERVICE_AUTH_ENCRYPTION_SECRET'] },
        more: [provider('town', 'Town', { keyVariable: 'SERVICE_AUTH_ENCRYPTION_SECRET' })],
      },
      /a variable of the service itself/,
    ],
  ]
  for (const [what, facts, reason] of unavailable) {
    it(`is none if ${what}, and says why`, () => {
      const choice = chooseProvider(factsOf(facts))
      expect(choice.available).to.equal(false)
      expect(choice.available ? '' : choice.reason).to.match(reason)
    })
  }

  it('gives a provider what it needs and nothing else', () => {
    const facts = factsOf({ keys: [tavily, brave], baseUrl: 'http://searxng:8080/path//' })
    expect(examineProvider('hosted_a', facts)).to.have.deep.property('connection', { apiKey: 'value of TAVILY_API_KEY' })
    expect(examineProvider('selfhosted', facts)).to.have.deep.property('connection', { baseUrl: 'http://searxng:8080/path' })
  })

  it('is warned of at the start if it is incomplete', () => {
    const warnings = (search: object, environmentNames: readonly string[] = []) =>
      rules.flatMap((rule) => rule({ search } as never, { environmentNames } as never)).map(({ message }) => message)
    expect(warnings({ provider: 'hosted_a' })).to.have.length(1)
    expect(warnings({ provider: 'hosted_a' }, [tavily])).to.deep.equal([])
    expect(warnings({ provider: 'selfhosted' })[0]).to.contain('search.selfhosted_base_url')
    expect(warnings({ provider: 'selfhosted', selfhosted_base_url: baseUrl })).to.deep.equal([])
    expect(warnings({})).to.deep.equal([])
    expect(warnings({ provider: 'town' })).to.deep.equal([])
  })
})
