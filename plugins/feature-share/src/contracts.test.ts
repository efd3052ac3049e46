import { tools } from '@agent-service/sdk/contracts/tool'
import { type ShareLinks, shareLinksService } from '@agent-service/sdk/services/share-links'
import { createTestContext, describeTool, describeUserData, type PluginTestContext, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { createShareUserData } from './user-data.js'

const config = { share: { ttl_secs: 3_600, cleanup_interval_secs: 60 } }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const linksOf = (host: PluginTestContext): ShareLinks => {
  const links = host.provided(shareLinksService)
  if (!links) throw new Error('The plugin provides no links.')
  return links
}

describe('the plugin of share links', () => {
  let host: PluginTestContext
  const { signal } = new AbortController()
  before(async () => {
    host = createTestContext(plugin, { config })
    host.services.userFiles.files.set(`${testAccount.handle}/files/report.md`, bytes('Report'))
    host.services.userFiles.files.set(`${testAccount.handle}/workspaces/assistant/notes.md`, bytes('Notes'))
    await host.setup()
  })
  after(() => host.dispose())

  it('makes links for other plugins, audits them, and revokes them', async () => {
    const links = linksOf(host)
    const file = await links.shareFile({ userId: testAccount.id, path: 'files/report.md', expiresInSeconds: 60 }, { signal })
    expect(file.expiresAt).to.equal(host.services.clock.now() + 60_000)
    expect(file.pageUrl).to.equal(file.contentUrl.replace('/s/', '/p/'))
    const messages = [{ role: 'agent', text: 'A long answer' }] as const
    const text = await links.shareText({ userId: testAccount.id, title: 'Answer', messages }, { signal })
    expect(text.expiresAt).to.equal(host.services.clock.now() + 3_600_000)
    expect(await links.revoke({ userId: 'someone else', id: text.id })).to.equal(false)
    expect(await links.revoke({ userId: testAccount.id, id: text.id })).to.equal(true)
    expect(host.services.audit.noted.map(({ kind }) => kind)).to.deep.equal(['share.created', 'share.created', 'share.revoked'])
    expect(JSON.stringify(host.services.audit.noted)).not.to.contain('report').and.not.contain(file.contentUrl.slice(-22))
  })

  describeTool({
    name: 'share_file',
    create() {
      const tool = host.contributed(tools).find(({ name }) => name === 'share_file')
      if (!tool) throw new Error('There is no tool share_file.')
      return tool
    },
    examples: [
      { title: 'a file of the workspace', input: { path: 'notes.md' } },
      { title: 'for some days', input: { path: 'notes.md', expires_in_days: 30 }, isError: true },
      { title: 'a file that is not there', input: { path: 'absent.md' }, isError: true },
      { title: 'a way out', input: { path: '../../files/report.md' }, isError: true },
    ],
    context: { userId: testAccount.id, userHandle: testAccount.handle, agentHandle: 'assistant', workspace: 'assistant' },
    secrets: [],
  })

  it('asks for each link that an agent makes', () => {
    for (const { approval, effect } of host.contributed(tools)) expect([approval, effect]).to.deep.equal(['always', 'unsafe'])
  })
})

describeUserData({
  name: 'of share links',
  async create() {
    const host = createTestContext(plugin, { config })
    await host.setup()
    return {
      data: createShareUserData({ database: host.services.database }),
      database: host.services.database,
      async fill(userId) {
        const { signal } = new AbortController()
        const messages = [{ role: 'agent', text: `For ${userId}` }] as const
        await linksOf(host).shareText({ userId, title: 'Answer', messages }, { signal })
      },
      secrets: [],
      restarted: 'not applicable',
    }
  },
})
