import { ServiceError, Type } from '@agent-service/sdk'
import { defineTool, type Tool, type ToolContext, type ToolResult } from '@agent-service/sdk/contracts/tool'
import { type PolicyService, requireOperation } from '@agent-service/sdk/services/policy'
import type { MintedShare, Minter, ShareService } from './minting/share-service.js'
import { toolWords } from './tool-words.js'

const expiry = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 36_500, description: 'After how many days the link stops working, if earlier than usual.' }),
)
const daySeconds = 86_400

/**
 * Links that agents make. A link publishes what belongs to the person, so the person is asked each
 * time; and it is never made twice for one call.
 */
export function createShareTools(dependencies: {
  readonly service: ShareService
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): readonly Tool[] {
  const { service, policies } = dependencies
  return [
    defineTool({
      name: 'share_file',
      title: 'Share a file',
      display: toolWords.share_file,
      description:
        'Makes a link to a file of your workspace that works without a sign-in until it expires; give the person the page. Later changes of the file show in it.',
      parameters: Type.Object({
        path: Type.String({ minLength: 1, maxLength: 400, description: 'The file, relative to your workspace.' }),
        expires_in_days: expiry,
      }),
      effect: 'unsafe',
      readsWorkspace: true,
      approval: 'always',
      scopes: () => [],
      exactly: () => 'Exactly this call, whatever the file contains by then',
      purpose: ({ path }) => `Share the file “${path.slice(0, 200)}” by a link that works without a sign-in`,
      execute: (input, context) =>
        answered(context.signal, async () => {
          await requireOperation(policies, { userId: context.userId, operation: 'createShare', signal: context.signal })
          return service.shareFile(minterOf(context, input.expires_in_days), `workspaces/${context.workspace}/${input.path}`)
        }),
    }),
    defineTool({
      name: 'share_chat',
      title: 'Share this chat',
      display: toolWords.share_chat,
      description:
        'Makes a link to this chat as it is now, without the answer that you are writing, that works without a sign-in until it expires; give the person the page.',
      parameters: Type.Object({ expires_in_days: expiry }),
      effect: 'unsafe',
      approval: 'always',
      // The same call in another chat shares another one.
      scopes: () => [],
      exactly: () => false,
      purpose: () => 'Share this chat by a link that works without a sign-in',
      execute: (input, context) =>
        answered(context.signal, async () => {
          for (const operation of ['createShare', 'exportChat'])
            await requireOperation(policies, { userId: context.userId, operation, signal: context.signal })
          return service.shareChat(minterOf(context, input.expires_in_days), context.chatId)
        }),
    }),
  ]
}

function minterOf({ userId, agentId, agentHandle, signal }: ToolContext, days: number | undefined): Minter {
  const user = { type: 'User', id: userId }
  const attributes = { owner: { __entity: user }, handle: agentHandle }
  return {
    ...{ userId, createdBy: 'agent', signal },
    agent: { id: agentId, entity: { type: 'Agent', id: agentId, attributes, parents: [user] } },
    ...(days !== undefined && { expiresInSeconds: days * daySeconds }),
  }
}

/** What a model can act on is a result; everything else is a fault of the tool. */
async function answered(signal: AbortSignal, work: () => Promise<MintedShare>): Promise<ToolResult> {
  try {
    const { share, contentUrl, pageUrl } = await work()
    return { content: [{ type: 'json', json: { page_url: pageUrl, content_url: contentUrl, expires_at: share.expires_at } }] }
  } catch (error) {
    if (signal.aborted || !ServiceError.isInstance(error) || error.status >= 500) throw error
    const problems = error.problems.map(({ message }) => `The path ${message}`).join('; ')
    return { isError: true, content: [{ type: 'text', text: `Not shared: ${problems === '' ? error.message : problems}` }] }
  }
}
