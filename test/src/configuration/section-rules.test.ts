import { openTestConfigurations, type TestConfigurations } from '@agent-service/kernel/testing'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'

/**
 * What a configuration is, and what is said of it: a problem, or a warning beside those that the
 * section has no effect and that no model is configured.
 */
type Case = readonly [what: string, yaml: string, said: RegExp | undefined, environment?: Readonly<Record<string, string>>]

const refused: readonly Case[] = [
  ['mail from several senders', 'mail: { host: a.example, from: "A, B <a@b.example>" }', /^mail.from: must be one e-mail address/],
  ['mail from a list', 'mail: { host: a.example, from: "a@b.example,c.example" }', /^mail.from: must be one e-mail address/],
  ['sso without authority', 'sso: { enabled: true, client_id: a }', /^sso.authority: is required while sso.enabled is true/],
  [
    'sso without client id',
    'sso: { enabled: true, authority: "https://a.example" }',
    /^sso.client_id: is required while sso.enabled is true/,
  ],
  ['sso alone, and off', 'sso: { disable_local_auth: true }', /^sso.disable_local_auth: would leave no way to sign in .*\(1:28\)$/],
  [
    'sso at a provider elsewhere without https',
    'sso: { enabled: true, authority: "http://localhost.example", client_id: a }',
    /^sso.authority: must start with https:\/\/ unless the identity provider runs on this machine/,
  ],
  [
    'a range of applications that ends before it starts',
    'app: { port_range_start: 4101 }',
    /^app.port_range_start: is past the end of the range: 4101 is greater than app.port_range_end, 4100/,
  ],
  [
    'a range of MCP servers that ends before it starts',
    'mcp: { port_range_end: 4099 }',
    /^mcp.port_range_start: is past the end of the range: 4100 is greater than mcp.port_range_end, 4099/,
  ],
  ['another telephony provider', 'voice: { provider: other }', /^voice.provider: must be “telephony”/],
  ['another memory backend', 'memory: { backend: pmk }', /^memory.backend: must be one of “basic”, “pkm” \(did you mean “pkm”\?\)/],
  ['another search provider', 'search: { provider: hosted_c }', /^search.provider: must be one of “hosted_a”, “hosted_b”, “selfhosted”/],
]

const warned: readonly Case[] = [
  ['an empty range of MCP servers', 'mcp: { port_range_end: 4100 }', /^mcp.port_range_end: leaves no port/],
  [
    'a part of 1Password',
    'vault: { vaultone_vault_id: a }',
    /^vault.vaultone_vault_id: 1Password is not connected: vaultone_service_account_token not set/,
  ],
  [
    'a part of Bitwarden',
    'vault: { vaulttwo_client_id: a, vaulttwo_server_url: "https://a.example" }',
    /^vault.vaulttwo_client_id: Bitwarden is not connected: vaulttwo_client_secret and vaulttwo_master_password not set/,
  ],
  [
    'a part of HashiCorp Vault',
    'vault: { vaultthree_address: "https://a.example" }',
    /^vault.vaultthree_address: .*: vaultthree_token not set/,
  ],
  ['a part of KeePass', 'vault: { vaultfour_password: a }', /^vault.vaultfour_password: KeePass is not connected: vaultfour_path not set/],
  [
    'Tavily without its key',
    'search: { provider: hosted_a }',
    /^search.provider: web search is unavailable: Tavily needs the variable TAVILY_API_KEY/,
  ],
  ['Brave Search without its key', 'search: { provider: hosted_b }', /^search.provider: .*BRAVE_API_KEY/, { TAVILY_API_KEY: 'key' }],
  ['SearXNG without its address', 'search: { provider: selfhosted }', /^search.provider: .*search.selfhosted_base_url/],
  [
    'the built-in token of the browser service',
    'browser: { ws_url: "ws://browser:3000" }',
    /^browser.api_token: the built-in token “service” is in use/,
  ],
  ['mail without a sender', 'mail: { host: smtp.example.org }', /^mail.host: no e-mail is sent: mail.from is not set/],
  [
    'mail with a user alone',
    'mail: { host: a.example, from: a@a.example, user: a }',
    /^mail.user: no e-mail is sent: mail.password is not set/,
  ],
]

const accepted: readonly Case[] = [
  ['sso with what it needs', 'sso: { enabled: true, authority: "https://a.example", client_id: a, disable_local_auth: true }', undefined],
  ['sso at a provider on this machine', 'sso: { enabled: true, authority: "http://127.0.0.1:8080/realms/house", client_id: a }', undefined],
  ['sso that is off, at whatever provider', 'sso: { authority: "http://a.example" }', undefined],
  ['one port for applications', 'app: { port_range_start: 4100 }', undefined],
  ['one port for MCP servers', 'mcp: { port_range_start: 4199 }', undefined],
  ['a whole 1Password', 'vault: { vaultone_service_account_token: a }', undefined],
  ['a whole HashiCorp Vault', 'vault: { vaultthree_address: "https://a.example", vaultthree_token: a, vaultthree_mount: kv }', undefined],
  ['Tavily with its key', 'search: { provider: hosted_a }', undefined, { TAVILY_API_KEY: 'key' }],
  ['no search at all', 'search: {}', undefined],
  ['a token of one’s own', 'browser: { ws_url: "ws://browser:3000", api_token: mine }', undefined],
  ['mail with what it needs', 'mail: { host: a.example, from: Agents <a@a.example>, user: a, password: b }', undefined],
]

describe('what sections must hold beyond their schema', () => {
  let configurations: TestConfigurations

  before(async () => {
    configurations = await openTestConfigurations()
  })

  after(() => configurations.remove())

  const read = async (yaml: string, environment: Readonly<Record<string, string>> = {}) => {
    const { problems, warnings } = await configurations.load({
      yaml,
      environment: { SERVICE_AUTH_ENCRYPTION_SECRET: 'a-secret', ...environment },
    })
    return {
      problems: problems.map(({ path, message }) => `${path}: ${message}`),
      warnings: warnings.filter((warning) => !/has no effect: The code that reads it|^models: is empty/.test(warning)),
    }
  }

  for (const [what, yaml, said, environment] of refused) {
    it(`refuses ${what}`, async () => {
      const { problems } = await read(yaml, environment)
      expect(problems).to.have.length(1)
      expect(problems[0]).to.match(said ?? /nothing/)
    })
  }

  for (const [what, yaml, said, environment] of warned) {
    it(`warns of ${what}`, async () => {
      const { problems, warnings } = await read(yaml, environment)
      expect([problems, warnings.length], warnings.join('\n')).to.deep.equal([[], 1])
      expect(warnings[0]).to.match(said ?? /nothing/)
    })
  }

  for (const [what, yaml, , environment] of accepted) {
    it(`says nothing of ${what}`, async () => {
      expect(await read(yaml, environment)).to.deep.equal({ problems: [], warnings: [] })
    })
  }

  it('takes a memory backend and a search provider that installed plugins say they have', async () => {
    const plugin = (id: string, section: string, place: string, variant: string) =>
      ({ id, apiVersion: 1, extends: [{ section, place, variant, schema: Type.Object({}) }] }) as const
    const plugins = [plugin('memory-tree', 'memory', 'backend', 'tree'), plugin('search-owl', 'search', 'provider', 'owl')]
    const { problems, values } = await configurations.load({ plugins, yaml: 'memory: { backend: tree }\nsearch: { provider: owl }' })
    expect(problems).to.deep.equal([])
    expect(values).to.have.nested.property('memory.backend', 'tree')
    expect(values).to.have.nested.property('search.provider', 'owl')
  })
})
