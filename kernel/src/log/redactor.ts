/** Keeps secrets out of everything that is written. */
export interface Redactor {
  /** Masks this value wherever it appears from now on. Values under 6 characters are ignored. */
  protect(value: string): void
  /** Text with live secret values, bearer tokens, keys in URLs and `?token=` masked. */
  text(text: string): string
  /** A deep copy with members of secret names masked and every string passed through {@link text}; errors with message, stack, cause. Bounded. */
  fields(value: unknown): unknown
}
