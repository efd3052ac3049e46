/** The languages that the service writes e-mails in. */
export type MailLanguage = 'en' | 'de'

/** The one for a person with this language, a tag such as `de-AT`: English where the service does not speak theirs. */
export const mailLanguageOf = (tag: string | undefined): MailLanguage => (tag?.split('-')[0] === 'de' ? 'de' : 'en')
