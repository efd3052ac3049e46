import type { InjectionToken } from 'tsyringe'

/** Keeps secrets out of everything that is written. */
export interface Redactor {
  /** Masks this value wherever it appears from now on. Values under 6 characters are ignored. Never throws. */
  protect(value: string): void
  /**
   * Text with live secret values, bearer tokens, keys in URLs and `?token=` masked, cut after 16,384 characters. Takes time linear in what is
   * kept. Never throws.
   */
  text(text: string): string
  /**
   * A deep copy with members of secret names masked and every string passed through {@link text}; errors with message, stack, cause. Plain
   * JSON. Bounded in depth, breadth and length; cycles and members that cannot be read are named instead. Never throws.
   */
  fields(value: unknown): unknown
}

export const redactorToken: InjectionToken<Redactor> = Symbol('redactor')

/** What stands in place of a secret. */
export const redactedText = '[redacted]'
