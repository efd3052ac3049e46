import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { agentCredentialsService } from '@agent-service/sdk/services/agent-credentials'
import { type Agents, agentsService } from '@agent-service/sdk/services/agents'
import {
  createFakeAgents,
  createTestContext,
  describeAgentPromptSection,
  describeTool,
  describeUserData,
  testAccount,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { agentId, localSource, type OpenPlugin, openPlugin, token, use } from './test-support/open-plugin.js'

describe('the plugin of credentials for agents', () => {
  it('contributes what its manifest says, and leaves nothing behind', async () => {
    const { host } = await openPlugin()
    expect(host.contributed(schedulerJobs)).to.have.length(3)
    await host.dispose()
    expect(host.scope.holdings()).to.deep.equal([])
  })

  it('exports no secret', async () => {
    const open = await openPlugin()
    const { signal } = new AbortController()
    await open.grant(localSource(await open.github()))
    await open.connect()
    await open.credentials.open(['github'], use, { signal })
    const records: unknown[] = []
    for (const data of open.host.contributed(userData))
      for await (const record of data.export(testAccount.id, { signal })) records.push(record)
    const text = JSON.stringify(records)
    expect(text).to.contain('GitHub, work account').and.contain('My shed').and.contain('git push')
    expect(text).not.to.contain(token).and.not.to.contain('vault-secret-1').and.not.to.contain('sealed:')
    await open.host.dispose()
  })
})

const given = {
  context: { userId: testAccount.id, agentId, answer: 'One day' },
  stranger: { userId: 'user-2', agentId: 'agent-of-user-2' },
  secrets: [token],
}

describe('the tools of credentials as tools', () => {
  let open: OpenPlugin
  before(async () => {
    open = await openPlugin()
    await open.github()
  })
  after(() => open.host.dispose())

  const toolOf = (name: string) => () => {
    const tool = open.host.contributed(tools).find((each) => each.name === name)
    if (!tool) throw new Error(`There is no tool ${name}.`)
    return tool
  }
  describeTool({
    name: 'request_credential',
    create: toolOf('request_credential'),
    examples: [
      { title: 'one that is there', input: { credential: 'github', purpose: 'To push.' } },
      { title: 'one that is not', input: { credential: 'gitlab', purpose: 'To push.' }, isError: true },
    ],
    ...given,
  })

  describe('of an agent with a credential', () => {
    before(async () => {
      await open.host.dispose()
      open = await openPlugin()
      await open.grant(localSource(await open.github()))
    })

    describeTool({
      name: 'list_credentials',
      create: () => ({ tool: toolOf('list_credentials')(), state: 'not applicable' }),
      examples: [{ title: 'all', input: {} }],
      ...given,
    })
  })
})

/** Every user has an agent with an id of its own, as in a deployment. */
const fakeAgents = createFakeAgents()
const agentsWithOwners: Agents = {
  ...fakeAgents,
  async details(userId, id) {
    const details = await fakeAgents.details(userId, agentId)
    return details && id === `agent-of-${userId}` ? { ...details, id } : undefined
  },
}

describeUserData({
  name: 'of credentials for agents',
  async create() {
    const host = createTestContext(plugin, {
      config: { vault: { vaultthree_mount: 'secret' } },
      services: [[agentsService, agentsWithOwners]],
    })
    await host.setup()
    const [data] = host.contributed(userData)
    if (!data) throw new Error('The plugin contributes no user data.')
    return {
      data,
      database: host.services.database,
      secrets: ['user-1', 'user-2'].map((userId) => `secret-of-${userId}`),
      restarted: 'not applicable',
      async fill(userId) {
        const principal = { ...testAccount, userId, username: 'x', handle: 'x', scopes: ['read', 'write'] as const }
        const fields = [{ name: 'token', value: `secret-of-${userId}` }]
        await host.request('POST /api/credentials', { principal, body: { name: 'github', title: 'GitHub', fields } })
        const { json } = (await host.request('GET /api/credentials', { principal })) as unknown as {
          readonly json: { readonly items: readonly { readonly id: string }[] }
        }
        const source = { kind: 'local', credential_id: json.items[0]?.id ?? '' }
        await host.request('POST /api/credentials/grants', { principal, body: { agent_id: `agent-of-${userId}`, source } })
        const credentials = host.provided(agentCredentialsService)
        await credentials?.open(['github'], { ...use, userId, agentId: `agent-of-${userId}` }, new AbortController())
      },
    }
  },
})

const agent = { id: agentId, handle: 'assistant', name: 'Assistant', skills: [], memory: { enabled: false } }

describeAgentPromptSection({
  name: 'credentials',
  personal: ['github'],
  async create() {
    const open = await openPlugin()
    await open.grant(localSource(await open.github()))
    for (let index = 0; index < 20; index += 1) await open.grant(localSource(await open.github({ name: `work-${index}` })))
    const [section] = open.host.contributed(agentPromptSections)
    if (!section) throw new Error('The plugin contributes no section.')
    return section
  },
  examples: [
    { title: 'of an agent with one', context: { userId: testAccount.id, agent }, check: (text) => expect(text).to.contain('- github') },
    { title: 'of an agent with none', context: { userId: 'user-2', agent }, isEmpty: true },
  ],
})
