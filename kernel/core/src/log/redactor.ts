import type { InjectionToken } from 'tsyringe'

/** Masks secrets in everything that is logged or leaves the service as text. */
export interface Redactor {
  /**
   * Masks this value wherever it appears from now on. Values under 6 characters are ignored. Never
   * throws.
   */
  protect(value: string): void
  /**
   * Text with live secret values, bearer tokens, keys in URLs and `?token=` masked, cut after
   * 16,384 characters. Takes time linear in the length of the result. Never throws.
   */
  text(text: string): string
  /**
   * A deep copy as plain JSON, with members of secret names masked and every string passed through
   * {@link text}; errors with message, stack and cause. Bounded in depth, breadth and length;
   * cycles and unreadable members are replaced by a note. Never throws.
   */
  fields(value: unknown): unknown
}

export const redactorToken: InjectionToken<Redactor> = Symbol('redactor')

export const redactedText = '[redacted]'
