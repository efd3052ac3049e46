import { createReasonText, language } from '@agent-service/sdk/web'
import type { Schemas } from '../../api/index.js'

type LocalText = Readonly<Record<string, string>>

/** A text of a plugin in the person's language, else in English. */
export const localText = (text: LocalText): string => text[language()] ?? text['en'] ?? ''

/** The language that {@link localText} gives, for assistive technology. */
export const languageOf = (text: LocalText): string => (text[language()] === undefined ? 'en' : language())

/** What the kinds are called, by their ids. */
export const kindTitles = (kinds: readonly Schemas['NotificationKind'][]): ReadonlyMap<string, string> =>
  new Map(kinds.map(({ kind, title }) => [kind, localText(title)]))

/** Titles that the service composes. */
const composed = createReasonText([['{} refuses its connection', '„{}“ lehnt die Verbindung ab']])

/** What a notification says at its head: the title of its kind in the person's language, where it has no other. */
export function titleOf({ title, kind }: Schemas['Notification'], kinds: readonly Schemas['NotificationKind'][]): string {
  const own = kinds.find((each) => each.kind === kind)?.title
  return own?.['en'] === title ? localText(own) : composed(title).text
}
