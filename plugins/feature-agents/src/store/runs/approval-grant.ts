import { createHash } from 'node:crypto'
import { namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** A person's permission for an agent to make one kind of call of a tool from now on. */
export type ApprovalGrant = {
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  readonly tool: string
  /** The key of an {@link ApprovalScope}. */
  readonly scope: string
  /** What was allowed, in the words that the person read. */
  readonly label: string
  readonly granted_at: string
}

export const approvalGrantCollection = defineCollection<ApprovalGrant>()({
  name: 'agents.approval_grants',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_tool: { fields: ['agent_id', 'tool', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
  },
  migrations: [
    {
      to: 2,
      description: 'Grants name what they allow. Those from before allowed every call of their tool.',
      migrate: (grant) => ({ ...grant, scope: everyCallScope, label: everyCallLabel }),
    },
  ],
})

/**
 * A kind of calls that a person can allow from now on. The key is `call:` and the hash of one call,
 * `every` for all calls of a tool that names no kinds, or `of:` and the key that the tool gives.
 */
export type ApprovalScope = { readonly key: string; readonly label: string }

/** The scope of one call, by its hash. */
export const thisCallScope = (hash: string): string => `call:${hash}`

/** Every call of a tool that does not name kinds of its calls. */
export const everyCallScope = 'every'
export const everyCallLabel = 'Every call of this tool, whatever its arguments'

/** The id of a grant: there is one for each agent, tool and scope. */
export const grantId = (agentId: string, tool: string, scope: string): string =>
  scope === everyCallScope ? `${agentId}/${tool}` : `${agentId}/${tool}/${createHash('sha256').update(scope).digest('base64url')}`

export const approvalScopeSchema = namedObject('ApprovalScope', {
  key: Type.String({ maxLength: 600, examples: ['of:host example.org'] }),
  label: Type.String({ examples: ['Read pages of example.org'], description: 'What is allowed, in words.' }),
})
