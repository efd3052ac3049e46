import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { codeOf, localSource, type OpenPlugin, openPlugin, use } from '../test-support/open-plugin.js'
import { createOrderedIds } from './ordered-ids.js'
import { deleteExcess } from './prune-log.js'

const { signal } = new AbortController()

describe('the access log', () => {
  let plugin: OpenPlugin

  beforeEach(async () => {
    plugin = await openPlugin()
  })
  afterEach(() => plugin.host.dispose())

  const log = (query = {}) => plugin.request('GET /api/credentials/log', { query })

  it('lists the newest first, in pages', async () => {
    await plugin.grant(localSource(await plugin.github()), { once: true })
    await plugin.credentials.open(['github'], { ...use, chatId: 'chat-1', runId: 'run-1', callId: 'call-1', target: 'a\nb' }, { signal })
    const first = await log({ limit: 2 })
    const rest = await log({ limit: 2, cursor: first['next_cursor'] })
    const all = [...(first['items'] as readonly object[]), ...(rest['items'] as readonly object[])] as readonly Record<string, unknown>[]
    expect(all.map(({ kind }) => kind)).to.deep.equal(['ended', 'opened', 'granted'])
    expect(all[1]).to.deep.include({ chat_id: 'chat-1', run_id: 'run-1', call_id: 'call-1', target: 'a b' })
    expect(rest['next_cursor']).to.equal(null)
  })

  it('lists only what one agent did, only what was done with one credential, or both', async () => {
    await plugin.grant(localSource(await plugin.github()))
    const [agentId = ''] = (await plugin.items('GET /api/credentials/log')).map((entry) => String(entry['agent_id']))
    await codeOf(plugin.credentials.open(['mail'], { ...use, agentId: 'agent-2' }, { signal }))
    const found = async (query: object) =>
      ((await log({ limit: 1, ...query }))['items'] as readonly Record<string, unknown>[]).map(({ kind, name }) => [kind, name])
    expect(await found({ agent_id: agentId })).to.deep.equal([['granted', 'github']])
    expect(await found({ name: 'mail' })).to.deep.equal([['opened', 'mail']])
    expect(await found({ agent_id: 'agent-2', name: 'mail' })).to.deep.equal([['opened', 'mail']])
    expect(await found({ agent_id: agentId, name: 'mail' })).to.deep.equal([])
  })

  it('forgets what is older than 90 days', async () => {
    await plugin.grant(localSource(await plugin.github()))
    await plugin.host.services.clock.advance(90 * 86_400_000 - 1)
    const prune = () =>
      plugin.host
        .contributed(schedulerJobs)
        .find(({ id }) => id.endsWith('prune-log'))
        ?.run({ signal, epoch: 1 })
    await prune()
    expect((await log())['items']).to.have.length(1)
    await plugin.host.services.clock.advance(2)
    await prune()
    expect((await log())['items']).to.deep.equal([])
  })

  it('keeps the newest of each user, also of one who only has refusals', async () => {
    const kept = async (userId: string): Promise<number> => {
      const principal = { ...testAccount, userId, scopes: ['read' as const], username: 'x', handle: 'x' }
      return (await plugin.items('GET /api/credentials/log', { principal })).length
    }
    for (const userId of [testAccount.id, 'user-2'])
      for (let index = 0; index < 5; index += 1)
        expect(await codeOf(plugin.credentials.open([`n${index}`], { ...use, userId }, { signal }))).to.equal(
          'agent_credential_not_granted',
        )
    await deleteExcess(plugin.host.services, { max: 3, signal })
    expect([await kept(testAccount.id), await kept('user-2')]).to.deep.equal([3, 3])
    expect((await plugin.items('GET /api/credentials/log')).map(({ name }) => name)).to.deep.equal(['n4', 'n3', 'n2'])
  })

  it('has its lines in order, also within a millisecond and when the clock is set back', () => {
    const next = createOrderedIds()
    const ids = [1_000, 1_000, 1_000, 999, 1_001].map(next)
    expect([...ids].sort()).to.deep.equal(ids)
    expect(new Set(ids).size).to.equal(5)
  })
})
