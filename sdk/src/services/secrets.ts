import { defineServiceReference } from '../core/service-reference.js'

/** What a reference in the configuration stands for right now. */
export type ResolvedSecret = { readonly value: string } | { readonly missing: string }

/** Secret values: resolved when they are needed, kept out of every log. */
export interface Secrets {
  /**
   * A configured text with its `${NAME}` references replaced from the server's environment, now. `missing` names the first variable that is
   * not set. The value is registered for redaction.
   */
  resolve(text: string): ResolvedSecret
  /** Masks this value in every log line and error from now on. Values under 6 characters are ignored. */
  protect(value: string): void
}

/** Secret values. Provided by the kernel. */
export const secretsService = defineServiceReference<Secrets>('kernel.secrets')
