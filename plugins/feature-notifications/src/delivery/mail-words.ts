/** What the service adds to the e-mail of a notification. */
interface MailWords {
  readonly open: string
  /** Why the person gets it, and what of it is held back. */
  readonly footer: (title: string, mailsPerHour: number | undefined) => string
}

const english: MailWords = {
  open: 'Open',
  footer: (title, mailsPerHour) =>
    `You get this e-mail because of your settings for “${title}”.${
      mailsPerHour === undefined ? '' : ` At most ${mailsPerHour} of these come within an hour; the others are in your notifications.`
    }`,
}

const german: MailWords = {
  open: 'Öffnen',
  footer: (title, mailsPerHour) =>
    `Du bekommst diese E-Mail wegen deiner Einstellungen für „${title}“.${
      mailsPerHour === undefined
        ? ''
        : ` Höchstens ${mailsPerHour} davon kommen in einer Stunde; die anderen stehen in deinen Benachrichtigungen.`
    }`,
}

export const words: Readonly<Record<'en' | 'de', MailWords>> = { en: english, de: german }

/** The language of the words for a person with this one, a tag such as `de-AT`. */
export const languageOf = (tag: string | undefined): keyof typeof words => (tag?.split('-')[0] === 'de' ? 'de' : 'en')
