import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { describeTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createUpdateProfileTool } from './update-profile.js'

/** A profile that knows one time zone. */
const begin = (forbidden?: string) => {
  const changed: unknown[] = []
  const changedOf = new Map<string, object>()
  const tool = createUpdateProfileTool({
    accounts: {
      async changeProfile(userId, change) {
        if (change.timezone === 'Mars/Phobos')
          throw invalidRequestError.create(
            { where: 'body' },
            { problems: [{ path: '/timezone', message: 'must be an IANA time zone: Europe/Berlin' }] },
          )
        changed.push(change)
        changedOf.set(userId, { ...changedOf.get(userId), ...change })
        return { name: change.name ?? null, timezone: change.timezone ?? 'UTC' }
      },
    },
    policies: { isAuthorized: async ({ resource }) => ({ allowed: resource.id !== forbidden }) },
  })
  return { tool, changed, changedOf }
}

describe('update_profile', () => {
  it('states what it would set, and asks the person each time', () => {
    const { tool } = begin()
    expect(tool.approval).to.equal('always')
    expect(tool.purpose?.({ name: 'Ada', timezone: 'Asia/Tokyo' })).to.equal('Set your name to “Ada” and your time zone to Asia/Tokyo')
    expect(tool.purpose?.({ timezone: 'Asia/Tokyo' })).to.equal('Set your time zone to Asia/Tokyo')
  })

  it('changes nothing for a person whom the policies forbid changeOwnProfile', async () => {
    const { tool, changed } = begin('changeOwnProfile')
    const context = { userId: 'u', signal: new AbortController().signal } as unknown as ToolContext
    const { isError, content } = await tool.execute({ name: 'Eve' }, context)
    expect([isError, changed]).to.deep.equal([true, []])
    expect(JSON.stringify(content)).to.include('policies')
  })
})

describeTool({
  name: 'update_profile',
  create() {
    const { tool, changedOf } = begin()
    return { tool, state: () => ({ ...changedOf.get('user-1') }), restarted: 'not applicable' }
  },
  context: { userId: 'user-1' },
  stranger: { userId: 'user-2' },
  secrets: [],
  examples: [
    {
      title: 'a time zone',
      input: { timezone: 'Europe/Vienna' },
      after: { timezone: 'Europe/Vienna' },
      again: { timezone: 'Europe/Vienna' },
      check: ({ content }) => expect(content).to.deep.equal([{ type: 'json', json: { name: null, timezone: 'Europe/Vienna' } }]),
    },
    { title: 'nothing', input: {}, isError: true },
    {
      title: 'a time zone that there is not',
      input: { timezone: 'Mars/Phobos' },
      isError: true,
      check: ({ content }) =>
        expect(content).to.deep.equal([{ type: 'text', text: 'Not changed. timezone must be an IANA time zone: Europe/Berlin' }]),
    },
  ],
})
