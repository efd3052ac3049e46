/** What a request is signed with. Never in an error, an event or a log. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Comes with temporary credentials. */
  readonly sessionToken?: string
  /** In milliseconds since 1970; absent where they do not end. */
  readonly expiresAt?: number
}

/** The value of a variable of the environment; `undefined` if it is not set, or blank. */
export type ReadVariable = (name: string) => string | undefined

/** What finding credentials needs from outside. */
export interface CredentialMeans {
  readonly readVariable: ReadVariable
  /** In milliseconds since 1970. */
  now(): number
  /** The folder of the person or service account, for `~`. */
  readonly homeFolder: string
  /** Ends every wait. */
  readonly signal: AbortSignal
}
