import { defineServiceReference } from '../core/service-reference.js'
import type { CollectionDefinition } from './database.js'

/** The current value of a reference in the configuration. */
export type ResolvedSecret = { readonly value: string } | { readonly missing: string }

/**
 * Secret values: resolved when they are needed, kept out of every log.
 *
 * @example
 * const resolved = context.use(secretsService).resolve('${WEATHER_KEY}')
 * if ('missing' in resolved) context.log.warn('A variable is not set.', { name: resolved.missing })
 */
export interface Secrets {
  /**
   * A configured text with its `${NAME}` references replaced from the server's environment, now.
   * `missing` names the first variable that is not set. The value is registered for redaction.
   */
  resolve(text: string): ResolvedSecret
  /**
   * Masks this value in every log line and error from now on. Values under 6 characters are
   * ignored.
   */
  protect(value: string): void
}

/** Secret values. Provided by the kernel. */
export const secretsService = defineServiceReference<Secrets>()('kernel.secrets')

/**
 * What the log does not write, for texts that are kept or sent elsewhere.
 *
 * @example
 * const { redact } = context.use(redactionService)
 * context.log.info('Masked.', { text: redact('Authorization: Bearer 0123456789abcdef') })
 */
export interface Redaction {
  /**
   * The text with known secret values, keys and tokens masked, as in the log, but of any length.
   * Without one the same text. Never throws.
   */
  redact(text: string): string
}

/** Masks secrets in texts. Provided by the kernel. */
export const redactionService = defineServiceReference<Redaction>()('kernel.redaction')

/**
 * The place of a sealed text: a member that the collection lists in `sealed`, of the document with
 * this id.
 */
export interface SealedPlace {
  /** One of the plugin's own collections. */
  readonly collection: Pick<CollectionDefinition, 'name'>
  /** Of the document, which need not be there yet. */
  readonly id: string
  /** The name of the member. */
  readonly field: string
}

/**
 * Encrypts members of a plugin's documents that only the plugin may read, such as keys of vendors.
 * A sealed text is bound to its place and opens nowhere else. The kernel replaces its keys by age
 * and seals again what was sealed under those before, so that a stored text may change while its
 * meaning stays: read the document at each use, and do not compare sealed texts.
 *
 * @example
 * const notes = defineCollection()({ name: 'notes.notes', version: 1, indexes: {}, sealed: ['text'] })
 * const place = { collection: notes, id: 'first', field: 'text' }
 * const sealed = await context.use(sealedFieldsService).seal('Buy milk.', place)
 */
export interface SealedFields {
  /**
   * Seals at most 1 MiB of UTF-8, also inside of a transaction. Store the result at its place within
   * the hour. @throws `sealed_field_undeclared`, `secret_too_large`.
   */
  seal(text: string, place: SealedPlace): Promise<string>
  /**
   * The text. @throws `sealed_field_undeclared`, or `secret_unreadable` if it was changed, moved,
   * or its key was deleted.
   */
  open(sealed: string, place: SealedPlace): Promise<string>
}

/**
 * Sealed members of the plugin's own collections. Provided by the kernel, to each plugin its own.
 */
export const sealedFieldsService = defineServiceReference<SealedFields>()('kernel.sealed-fields')
