import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** The agent that uses a credential, and where. */
export interface CredentialUser {
  /** Whose credential and agent it is. */
  readonly userId: string
  /** The agent. */
  readonly agentId: string
  /** The chat whose call needs it. Default: none. */
  readonly chatId?: string
  /** The run whose call needs it. Default: none. */
  readonly runId?: string
}

/** A credential that an agent may use now. Never a value. */
export interface GrantedCredential {
  /** Names it among those of the user: what the model says. */
  readonly name: string
  /** For people and models: what it is for. May be empty. */
  readonly description: string
  /** The names of its fields: `username`, `password`. */
  readonly fields: readonly string[]
  /** The variable of the environment that each bound field becomes in the agent's processes. */
  readonly environment: Readonly<Record<string, string>>
  /** When the grant ends, in milliseconds since 1970. Absent: it is used once, or has no end. */
  readonly expiresAt?: number
}

/** What a process of an agent gets. Discard it after the start of the process. */
export interface ProcessCredentials {
  /** Values by the name of the variable. */
  readonly environment: Readonly<Record<string, string>>
  /** Contents by the name of the variable that is to hold the path of the file. */
  readonly files: Readonly<Record<string, Uint8Array>>
}

/**
 * The secrets that users have granted to their agents. A model sees names only; a value goes from
 * here to a process or into a page, and each use is in the access log. Every value that was opened
 * for an agent is masked in what that agent's tools say from then on.
 */
export interface AgentCredentials {
  /** What the agent may use now, by name. */
  granted(user: CredentialUser): Promise<readonly GrantedCredential[]>
  /**
   * Opens one field for one use, outside the agent's processes: `use` says what for, in words for
   * the access log, without secrets. A grant for one use ends with it. @throws
   * `agent_credential_not_found`, or an error of the vault that holds it.
   */
  open(
    request: CredentialUser & { readonly name: string; readonly field: string; readonly use: string },
    options: { readonly signal: AbortSignal },
  ): Promise<string>
  /** What all bindings give to a process of the agent that is about to start. */
  forProcess(request: CredentialUser & { readonly use: string }, options: { readonly signal: AbortSignal }): Promise<ProcessCredentials>
}

/** Secrets granted to agents. Provided by `feature-vault`. */
export const agentCredentialsService = defineServiceReference<AgentCredentials>()('agent-credentials')

/** The agent has no such credential: there is none, or it was not granted, or the grant has ended. */
export const agentCredentialNotFoundError = defineError<{ readonly name: string; readonly field: string }>({
  code: 'agent_credential_not_found',
  status: 404,
  title: 'No such credential',
  message: ({ name, field }) =>
    `The agent has no credential “${name}” with the field “${field}”. Its owner can grant one under “Credentials” in the console.`,
})
