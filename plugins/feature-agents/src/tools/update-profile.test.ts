import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { describeTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createUpdateProfileTool } from './update-profile.js'

/** A profile that knows one time zone. */
const begin = () => {
  const tool = createUpdateProfileTool({
    async changeProfile(_, change) {
      if (change.timezone === 'Mars/Phobos')
        throw invalidRequestError.create(
          { where: 'body' },
          { problems: [{ path: '/timezone', message: 'must be an IANA time zone: Europe/Berlin' }] },
        )
      return { name: change.name ?? null, timezone: change.timezone ?? 'UTC' }
    },
  })
  return { tool }
}

describe('update_profile', () => {
  it('says what it would set, and has the person asked each time', () => {
    const { tool } = begin()
    expect(tool.approval).to.equal('always')
    expect(tool.purpose?.({ name: 'Ada', timezone: 'Asia/Tokyo' })).to.equal('Set your name to “Ada” and your time zone to Asia/Tokyo')
    expect(tool.purpose?.({ timezone: 'Asia/Tokyo' })).to.equal('Set your time zone to Asia/Tokyo')
  })
})

describeTool({
  name: 'update_profile',
  create: () => begin().tool,
  examples: [
    {
      title: 'a time zone',
      input: { timezone: 'Europe/Vienna' },
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
