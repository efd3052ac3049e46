import { defineServiceReference } from '../core/service-reference.js'

/**
 * Encrypts data that a plugin hands out and must get back unread and unchanged, such as the state
 * of a sign-in in a cookie. For what comes back soon: a text that was sealed over a day ago may no
 * longer open. A seal can be opened more than once; a caller that allows one use has to remember
 * it.
 *
 * @example
 * const seals = context.use(sealsService)
 * const cookie = await seals.seal(JSON.stringify({ step: 2 }), 'set-up')
 * const step = await seals.open(cookie, 'set-up')
 */
export interface Seals {
  /** At most 1 MiB of UTF-8. `purpose` is authenticated. The result is base64url and dots. */
  seal(text: string, purpose: string): Promise<string>
  /**
   * The text, or `undefined` if it was changed, sealed for another purpose or by another plugin, or
   * its key was deleted.
   */
  open(sealed: string, purpose: string): Promise<string | undefined>
}

/** Seals, each plugin's its own. Provided by the kernel. */
export const sealsService = defineServiceReference<Seals>()('kernel.seals')
