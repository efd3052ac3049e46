import { defineError, type JsonObject, type Static, Type } from '@agent-service/sdk'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import type { SandboxStart } from '@agent-service/sdk/services/sandbox'

/** Which credentials a program gets. Only offered where agents can have credentials. */
export const credentialParameters = {
  credentials: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 20,
      description:
        'The names of credentials that were granted to you and that this program needs. It gets their values in the variables of its environment that they are bound to, or in files that these variables name. You never see the values: they are masked in the output.',
    }),
  ),
}

const schema = Type.Object(credentialParameters)

/** Two credentials of one call want the same variable. */
export const variableTwiceError = defineError<{ readonly variable: string; readonly names: readonly string[] }>({
  code: 'credential_variable_twice',
  status: 422,
  title: 'Variable bound twice',
  message: ({ variable, names }) =>
    `The credentials ${names.join(' and ')} are both bound to the variable ${variable}. Use them in calls of their own.`,
})

/** A credential has nothing for a process. */
export const credentialUnboundError = defineError<{ readonly name: string }>({
  code: 'credential_unbound',
  status: 422,
  title: 'Credential without a variable',
  message: ({ name }) =>
    `The credential “${name}” is not bound to any variable of a process. A person can bind its fields under Credentials.`,
})

/** What a process gets of the credentials that a call names. */
export type ProcessCredentials = Pick<SandboxStart, 'environment' | 'privateFiles'>

/**
 * Opens the credentials that a call names, for its process.
 * @throws as `AgentCredentials.open`, `credential_unbound`, `credential_variable_twice`; the last two before anything is opened.
 */
export async function openCredentials(
  credentials: Pick<AgentCredentials, 'granted' | 'open'> | undefined,
  input: JsonObject,
  { title, ...context }: Pick<ToolContext, 'userId' | 'agentId' | 'chatId' | 'runId' | 'callId' | 'signal'> & { readonly title: string },
): Promise<ProcessCredentials> {
  const names = [...new Set((input as Static<typeof schema>).credentials ?? [])]
  if (credentials === undefined || names.length === 0) return {}
  const { userId, agentId, chatId, runId, callId, signal } = context
  checkBindings((await credentials.granted({ userId, agentId })).filter(({ name }) => names.includes(name)))
  const opened = await credentials.open(names, { userId, agentId, kind: 'process', target: title, chatId, runId, callId }, { signal })
  // They may have been bound anew in between.
  checkBindings(opened)
  const environment: Record<string, string> = {}
  const privateFiles: Record<string, string> = {}
  for (const { variable, as, value } of opened.flatMap(({ fields }) => fields)) {
    if (variable === null) continue
    if (as === 'file') privateFiles[variable] = value
    else environment[variable] = value
  }
  return { environment, privateFiles }
}

function checkBindings(
  credentials: readonly { readonly name: string; readonly fields: readonly { readonly variable: string | null }[] }[],
): void {
  const owners = new Map<string, string>()
  for (const { name, fields } of credentials) {
    const variables = fields.flatMap(({ variable }) => (variable === null ? [] : [variable]))
    if (variables.length === 0) throw credentialUnboundError.create({ name })
    for (const variable of variables) {
      const owner = owners.get(variable)
      if (owner !== undefined) throw variableTwiceError.create({ variable, names: [owner, name] })
      owners.set(variable, name)
    }
  }
}
