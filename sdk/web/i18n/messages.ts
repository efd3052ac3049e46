import { type Language, language, locale } from './language.js'
import { formatMessage, type MessageValues } from './message-format.js'

/** Texts by key, in each language. English has all keys, and so must the others. */
export type Messages<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>

/** The text of a key in the current language. */
export type Translate<Key extends string> = (key: Key, values?: MessageValues) => string

/**
 * Makes the translator of one folder. A key that is missing in a language does not compile; should
 * one be missing all the same, the English text stands there, or the key. Texts are ICU messages: `{name}`, `{n, number}`,
 * `{day, date}`, `{n, plural, one {# file} other {# files}}`, `{kind, select, a {…} other {…}}`. A component that calls `t` follows
 * the language.
 *
 * @example
 * export const t = defineMessages({
 *   en: { title: 'Dice', rolls: '{count, plural, one {# roll} other {# rolls}}' },
 *   de: { title: 'Würfel', rolls: '{count, plural, one {# Wurf} other {# Würfe}}' },
 * })
 * t('rolls', { count: 3 })
 */
export const defineMessages =
  <Key extends string>(messages: Messages<Key>): Translate<Key> =>
  (key, values = {}) =>
    formatMessage(messages[language()][key] ?? messages.en[key] ?? key, values, locale())

/** One text in each language, for data such as the title of a screen. */
export type Text = Readonly<Record<Language, string>>

/** The text in the language of the page. Components follow it. */
export const textOf = (text: Text): string => text[language()]
