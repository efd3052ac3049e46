import { type JsonObject, Type } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { AccountProfileChange, Accounts } from '@agent-service/sdk/services/accounts'
import { type PolicyService, permitsOperation } from '@agent-service/sdk/services/policy'
import { toolWords } from './tool-words.js'

const change = ({ name, timezone }: JsonObject): AccountProfileChange => ({
  ...(typeof name === 'string' ? { name } : {}),
  ...(typeof timezone === 'string' ? { timezone } : {}),
})

/**
 * Sets the person's name and time zone, and nothing that is used to sign in. The person is asked
 * each time.
 */
export function createUpdateProfileTool(dependencies: {
  readonly accounts: Pick<Accounts, 'changeProfile'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): Tool {
  const { accounts, policies } = dependencies
  return {
    specVersion: 1,
    name: 'update_profile',
    title: 'Change your profile',
    display: toolWords.update_profile,
    description:
      'Changes the profile of the person you are talking to: the name they want to be called by, and their time zone. Use it only when they ask for it or tell you that they have moved. The person confirms each change. Nothing else of their account can be changed.',
    parameters: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What the person wants to be called.' })),
      timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone such as Europe/Vienna.' })),
    }),
    effect: 'idempotent',
    approval: 'always',
    supports: { probe: false },
    scopes: () => [],
    purpose(input) {
      const { name, timezone } = change(input)
      const parts = [
        ...(name === undefined || name === null ? [] : [`your name to “${name}”`]),
        ...(timezone === undefined || timezone === null ? [] : [`your time zone to ${timezone}`]),
      ]
      return parts.length === 0 ? 'Change nothing of your profile' : `Set ${parts.join(' and ')}`.replace(/\s+/g, ' ')
    },
    async execute(input, { userId, signal }) {
      const wanted = change(input)
      if (Object.keys(wanted).length === 0) return failed('Nothing to change: give a name, a timezone or both.')
      if (!(await permitsOperation(policies, { userId, operation: 'changeOwnProfile', signal })))
        return failed('Not changed: the policies of this service do not allow this person to change their profile.')
      try {
        const { name, timezone } = await accounts.changeProfile(userId, wanted)
        return { content: [{ type: 'json', json: { name, timezone } }] }
      } catch (error) {
        if (!invalidRequestError.isInstance(error)) throw error
        return failed(`Not changed. ${error.problems.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}`)
      }
    },
  }
}

const failed = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] })
