const marker: unique symbol = Symbol.for('agent-service.error') as never

/**
 * One thing that is wrong with an input, at a dotted path (`providers.work.api_key`) or a JSON
 * pointer for request bodies.
 */
export interface Problem {
  /** Where: a dotted path or a JSON pointer; `/` for the whole. */
  readonly path: string
  /**
   * What was expected, as words that follow the path: `must be at least 3`. Never the value itself.
   */
  readonly message: string
}

/** Further properties of an error. */
export interface ErrorOptions {
  /** The cause. Kept for logs, never shown to a client. */
  readonly cause?: unknown
  /** For validation errors: every problem, not only the first. */
  readonly problems?: readonly Problem[]
  /** Seconds after which a retry may succeed; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/**
 * The base of every error that this project throws deliberately.
 *
 * `code` is stable and part of the public surface; `message` says what was expected, what was found
 * and how to mend it, and may be shown to a client when `status` is below 500, 503 or 507, or when it
 * is above 500 and the route declares it. Recognise it with {@link ServiceError.isInstance}, never with
 * `instanceof`: several copies of the SDK may be loaded side by side.
 */
export class ServiceError extends Error {
  /** Constant; errors are distinguished by `code`. */
  override readonly name: string = 'ServiceError'
  /** Stable, snake_case. Programs may branch on it. */
  readonly code: string
  /** The HTTP status a request that fails with this error is answered with. */
  readonly status: number
  /** A short, constant title for people. */
  readonly title: string
  /**
   * The values of the message. For logs and for code that handles the error; not part of an
   * answer's body.
   */
  readonly details: Readonly<Record<string, unknown>>
  /** Every problem of a validation; empty otherwise. */
  readonly problems: readonly Problem[]
  /** Seconds after which a retry may succeed, if that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(init: {
    readonly code: string
    readonly status: number
    readonly title: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
    readonly options?: ErrorOptions | undefined
  }) {
    super(init.message, init.options?.cause === undefined ? undefined : { cause: init.options.cause })
    this.code = init.code
    this.status = init.status
    this.title = init.title
    this.details = init.details ?? {}
    this.problems = init.options?.problems ?? []
    this.retryAfterSeconds = init.options?.retryAfterSeconds
    Object.defineProperty(this, marker, { value: true, enumerable: false })
  }

  /** True for an error made by any copy of the SDK. */
  static isInstance(value: unknown): value is ServiceError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true
  }
}

/** An error that is defined once and created where it happens. */
export interface ErrorDefinition<Details extends Readonly<Record<string, unknown>>> {
  /** Stable, snake_case. */
  readonly code: string
  /** The HTTP status a request that fails with this error is answered with. */
  readonly status: number
  /** Makes the error. The message comes from the definition's template. */
  create(details: Details, options?: ErrorOptions): ServiceError
  /** True for an error of this code, made by any copy of the SDK. */
  isInstance(value: unknown): value is ServiceError
}

/**
 * Defines an error: a stable snake_case code, the status it answers with, a constant title and a
 * template that names expected and actual and says how to mend it.
 *
 * @example
 * const tooManyDiceError = defineError<{ readonly count: number }>({
 *   code: 'too_many_dice',
 *   status: 400,
 *   title: 'Too many dice',
 *   message: ({ count }) => `${count} dice are too many. Roll at most 100.`,
 * })
 * throw tooManyDiceError.create({ count: 101 })
 */
export function defineError<Details extends Readonly<Record<string, unknown>>>(definition: {
  readonly code: string
  readonly status: number
  readonly title: string
  /** Gets the problems of a validation, too; there may be none. */
  readonly message: (details: Details, problems: readonly Problem[]) => string
}): ErrorDefinition<Details> {
  const { code, status, title } = definition
  return Object.freeze({
    code,
    status,
    create: (details: Details, options?: ErrorOptions) =>
      new ServiceError({ code, status, title, message: definition.message(details, options?.problems ?? []), details, options }),
    isInstance: (value: unknown): value is ServiceError => ServiceError.isInstance(value) && value.code === code,
  })
}
