import { ServiceError, Type } from '@agent-service/sdk'
import { defineTool, type Tool, type ToolContext, type ToolResult } from '@agent-service/sdk/contracts/tool'
import type { AgentCredentials, GrantedCredential } from '@agent-service/sdk/services/agent-credentials'
import { type PolicyService, requireOperation } from '@agent-service/sdk/services/policy'
import { textOrNull } from '../common/time.js'
import type { GrantService } from '../grants/grant-service.js'
import type { AccessLog } from '../log/access-log.js'
import { line } from '../vaults/checked-items.js'
import type { NamedCredentials } from './find-credential.js'
import { answerOptions, readAnswer } from './read-answer.js'
import { toolWords } from './tool-words.js'

/** The name of the tool that asks for a credential. */
export const requestToolName = 'request_credential'

export interface CredentialToolsDependencies {
  readonly credentials: Pick<AgentCredentials, 'granted'>
  readonly grants: Pick<GrantService, 'create'>
  readonly named: NamedCredentials
  readonly accessLog: AccessLog
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}

/** What agents learn of credentials, and how they ask for one: names, never values. */
export function createCredentialTools(dependencies: CredentialToolsDependencies): readonly Tool[] {
  const { credentials } = dependencies
  return [
    defineTool({
      name: 'list_credentials',
      title: 'List credentials',
      display: toolWords.list_credentials,
      description:
        'Lists the credentials that a person has granted to you: their names, fields, and the variables of the environment in which programs find them. Values are never shown to you. Name a credential when you call a tool that takes one.',
      parameters: Type.Object({}),
      effect: 'read',
      approval: 'never',
      purpose: () => 'List the credentials that it may use',
      execute: async (_, { userId, agentId }) => ({ json: { credentials: (await credentials.granted({ userId, agentId })).map(viewOf) } }),
    }),
    defineTool({
      name: requestToolName,
      title: 'Ask for a credential',
      display: toolWords.request_credential,
      description:
        'Asks the person to let you use one of their credentials: once, for an hour, for a day, or for good. Say what you need it for. Afterwards you may use it by its name; its values are never shown to you. Never ask a person for a password or token in the chat: use this tool.',
      parameters: Type.Object({
        credential: Type.String({ minLength: 1, maxLength: 100, description: 'The name or title of the credential, such as “github”.' }),
        purpose: Type.String({ minLength: 1, maxLength: 300, description: 'What you need it for, in one sentence for the person.' }),
      }),
      effect: 'idempotent',
      approval: 'never',
      purpose: ({ credential }) => `Ask for the credential “${line(credential, 100)}”`,
      asks: ({ credential, purpose }) => ({
        question: `May I use the credential “${line(credential, 100)}”? What I say it is for: “${line(purpose, 300)}”. I can use it in programs and on pages, and do not see its values. To give me another one, answer with how long and its name, such as “Once: github-work”.`,
        options: [...answerOptions],
      }),
      execute: (input, context) => answered(context.signal, () => request(dependencies, input, context)),
    }),
  ]
}

const viewOf = ({ name, title, fields, once, until }: GrantedCredential) => ({
  ...{ name, title, ends_with_next_use: once, ends_at: textOrNull(until ?? undefined) },
  fields: fields.map((field) => ({ name: field.name, secret: field.secret, variable: field.variable, as: field.as })),
})

async function request(
  { grants, named, accessLog, policies }: CredentialToolsDependencies,
  { credential }: { readonly credential: string },
  { userId, agentId, callId, chatId, runId, answer, signal }: ToolContext,
): Promise<ToolResult> {
  // The answer may be the name of a credential alone.
  const byAnswer = answer === undefined || answer.length > 300 ? undefined : await named.find(userId, answer.trim())
  const reading = readAnswer(answer, () => byAnswer !== undefined)
  const entry = { user_id: userId, agent_id: agentId, kind: 'requested', title: line(credential, 100) } as const
  const where = { chat_id: chatId, run_id: runId, call_id: callId }
  if (reading.kind === 'no') {
    await accessLog.note({ ...entry, ...where, outcome: 'refused' })
    return said('The person did not grant it. Go on without it, or explain what cannot be done; do not ask again for the same.', true)
  }
  await requireOperation(policies, { userId, operation: 'createCredentialGrant', signal })
  const wanted = reading.credential ?? credential
  const source = await named.find(userId, wanted)
  if (!source) {
    await accessLog.note({ ...entry, ...where, outcome: 'failed', code: 'not_found' })
    return said(
      `The person has no credential “${line(wanted, 100)}”, or several. They can add one under Credentials and grant it to you.`,
      true,
    )
  }
  const grant = await grants.create(userId, { agentId, source, ...reading.term }, { signal, answered: { callId } })
  await accessLog.note({ ...entry, ...where, name: grant.name })
  const variables = grant.fields.flatMap(({ variable }) => (variable === null ? [] : [variable]))
  const found = variables.length === 0 ? '' : ` Programs find it in ${variables.join(', ')}.`
  const ends = grant.once ? ' It ends with its next use.' : grant.expires_at === null ? '' : ` It ends at ${grant.expires_at}.`
  return said(`Granted. You may use the credential by the name “${grant.name}”.${found}${ends}`)
}

const said = (text: string, isError = false): ToolResult => ({ content: [{ type: 'text', text }], ...(isError && { isError }) })

/** What a model can act on is a result; everything else is a fault of the tool. */
async function answered(signal: AbortSignal, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted || !ServiceError.isInstance(error) || error.code === 'internal_error') throw error
    if (error.status >= 500 && !error.code.startsWith('vault_')) throw error
    return said(`Not granted: ${error.message}`, true)
  }
}
