import type { Schemas } from '../../api/types.js'
import { language } from '../../i18n/language.js'

type LocalText = Readonly<Record<string, string>>

/** A text of a plugin in the person's language, else in English. */
export const localText = (text: LocalText): string => text[language()] ?? text['en'] ?? ''

/** The language that {@link localText} gives, for assistive technology. */
export const languageOf = (text: LocalText): string => (text[language()] === undefined ? 'en' : language())

/** What the kinds are called, by their ids. */
export const kindTitles = (kinds: readonly Schemas['NotificationKind'][]): ReadonlyMap<string, string> =>
  new Map(kinds.map(({ kind, title }) => [kind, localText(title)]))
