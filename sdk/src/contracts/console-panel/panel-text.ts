/**
 * One text in several languages, by tag: `en`, `de`. English is shown where the person's language
 * is missing.
 */
export interface PanelText {
  /** The one that has to be there. */
  readonly en: string
  /** Further languages. */
  readonly [language: string]: string
}
