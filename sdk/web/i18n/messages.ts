import { type Language, language, locale } from './language.js'
import { formatMessage, type MessageValues } from './message-format.js'

/** Texts by key, in each language. English has all keys, and so must the others. */
export type Messages<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>

/** The text of a key in the current language. */
export type Translate<Key extends string> = (key: Key, values?: MessageValues) => string

/**
 * Makes the translator of one folder. A key that is missing in a language does not compile; should
 * one be missing all the same, the English text stands there, or the key.
 *
 * @example
 * export const t = defineMessages({ en: { title: 'Files' }, de: { title: 'Dateien' } })
 * t('title')
 */
export const defineMessages =
  <Key extends string>(messages: Messages<Key>): Translate<Key> =>
  (key, values = {}) =>
    formatMessage(messages[language()][key] ?? messages.en[key] ?? key, values, locale())

/** One text in each language, for data such as the title of a screen. */
export type Text = Readonly<Record<Language, string>>

export const textOf = (text: Text): string => text[language()]
