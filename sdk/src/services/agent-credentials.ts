import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** An agent whose credentials are meant. */
export interface CredentialAgent {
  /** The user whose agent it is. */
  readonly userId: string
  /** The agent. */
  readonly agentId: string
}

/** A field of a credential that an agent may use, without its value. */
export interface GrantedField {
  /** `password`. Unique in its credential. */
  readonly name: string
  /** Whether its value is a secret; otherwise the agent may read it, such as a user name. */
  readonly secret: boolean
  /** The variable of the environment that has it in a process. Null: it is not bound to one. */
  readonly variable: string | null
  /** What the variable has: the value itself, or the path of a private file with the value. */
  readonly as: 'value' | 'file'
}

/** A credential that an agent may use now, without its values. */
export interface GrantedCredential {
  /** What the agent calls it by: `^[a-z][a-z0-9_-]{0,63}$`, unique among those of the agent. */
  readonly name: string
  /** For people: “GitHub, work account”. One line. */
  readonly title: string
  /** Its fields, in order. */
  readonly fields: readonly GrantedField[]
  /** Whether the grant ends with the next use. */
  readonly once: boolean
  /** When the grant ends, in milliseconds since 1970. Null: when it is revoked. */
  readonly until: number | null
}

/** What values are wanted for. Stands in the access log. */
export interface CredentialUse extends CredentialAgent {
  /** `process`: environment and files of a process. `page`: a form of a web page. */
  readonly kind: 'process' | 'page'
  /** For people, one line without secrets: the title of the process, the origin of the page. */
  readonly target: string
  /** The chat, run and call that it happens in. Default: none. */
  readonly chatId?: string
  /** As above. */
  readonly runId?: string
  /** As above. */
  readonly callId?: string
}

/** A credential with its values, for one use. Never in an event, an error, a log or a result. */
export interface OpenedCredential {
  /** As in {@link GrantedCredential}. */
  readonly name: string
  /** Its fields with their values. */
  readonly fields: readonly (GrantedField & { readonly value: string })[]
}

/**
 * Replaces the secrets that an agent was ever given in a text that comes in pieces, in all common
 * encodings, also where one is split over pieces.
 */
export interface SecretMask {
  /** The masked text as far as it is decided; what may be the beginning of a secret waits. */
  take(text: string): string
  /** What still waits, masked. Nothing may be taken after it. */
  end(): string
  /** As `take`, for those who count positions in the text. */
  takeParts(text: string): readonly MaskedPart[]
  /** As `end`, for those who count positions in the text. */
  endParts(): readonly MaskedPart[]
}

/** What is shown of a part of a text. A part begins where the one before it ends. */
export interface MaskedPart {
  /** How much of the text it stands for, in UTF-16 code units. */
  readonly length: number
  /** The part itself; where a secret is, a placeholder, or nothing if the one before stands for it too. */
  readonly shown: string
}

/**
 * Credentials of agents: what a person has granted to an agent, from those that the person keeps
 * here and from vaults. A model learns their names, never their values.
 *
 * @example
 * const credentials = context.use(agentCredentialsService)
 * const agentId = '0197…'
 * const use = { userId, agentId, kind: 'process', target: 'git push' } as const
 * const [github] = (await credentials?.open(['github'], use, { signal })) ?? []
 * const token = github?.fields.find(({ name }) => name === 'token')?.value
 */
export interface AgentCredentials {
  /** What the agent may use now, by name, in their order. */
  granted(agent: CredentialAgent): Promise<readonly GrantedCredential[]>
  /**
   * Opens credentials for one use, all or none. The access log and the mask know of it before the
   * values are returned; a grant for one use has ended then. @throws `agent_credential_not_granted`,
   * an error of the vault (`vault_…`), the reason of the signal.
   */
  open(names: readonly string[], use: CredentialUse, options: { readonly signal: AbortSignal }): Promise<readonly OpenedCredential[]>
  /** A mask for texts of this agent that do not pass through a run, which masks by itself. */
  mask(agent: CredentialAgent): Promise<SecretMask>
}

/** Credentials of agents. Provided by `feature-credentials`. */
export const agentCredentialsService = defineServiceReference<AgentCredentials>()('agent-credentials')

/** The agent has no such credential, or no more. */
export const agentCredentialNotGrantedError = defineError<{ readonly name: string; readonly granted: readonly string[] }>({
  code: 'agent_credential_not_granted',
  status: 403,
  title: 'Credential not granted',
  message: ({ name, granted }) =>
    `The agent may not use a credential “${name}”. ${granted.length === 0 ? 'None is granted to it' : `Granted are: ${granted.join(', ')}`}. A person can grant one under Credentials.`,
})
