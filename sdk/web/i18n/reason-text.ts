import { type GermanReasons, germanOf } from './german-of.js'
import { language } from './language.js'

export type { GermanReasons } from './german-of.js'

/** A reason in the language of the page, or as the service has it. */
export interface ReasonText {
  /** What is shown. */
  readonly text: string
  /** Its language, for the attribute `lang` of the element that shows it. */
  readonly lang: string
}

/**
 * Makes a function that translates reasons which a service has in English only, and leaves others as they are.
 *
 * @example
 * const reasonText = createReasonText([['The die has only {} sides.', 'Der Würfel hat nur {} Seiten.']])
 * const { text, lang } = reasonText('The die has only 3 sides.')
 */
export const createReasonText =
  (reasons: GermanReasons) =>
  (reason: string): ReasonText => {
    const german = language() === 'de' ? germanOf(reasons, reason) : undefined
    return german === undefined ? { text: reason, lang: 'en' } : { text: german, lang: 'de' }
  }
