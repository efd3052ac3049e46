export type PageLanguage = 'en' | 'de'

/** The texts of the pages behind links. */
export const texts = {
  en: {
    missing_title: 'This link does not work',
    missing_text: 'It may have expired, or it was mistyped. Ask the person who sent it for a new one.',
    until: 'This link works until {time}.',
    download: 'Download',
    open: 'Open',
    file: 'File',
    chat: 'Chat',
    person: 'Person',
    agent: 'Agent',
    partial: 'The answer broke off.',
    empty_chat: 'There were no messages.',
    no_preview: 'This file cannot be shown here. Download it to see it.',
    cut: 'Only the beginning is shown here. Download the file to see all of it.',
    snapshot: 'A chat as it was on {time}.',
    preview: 'Preview of {name}',
    text: 'Plain text',
  },
  de: {
    missing_title: 'Dieser Link funktioniert nicht',
    missing_text: 'Vielleicht ist er abgelaufen oder hat einen Tippfehler. Bitte die Person, von der du ihn hast, um einen neuen.',
    until: 'Dieser Link funktioniert bis {time}.',
    download: 'Herunterladen',
    open: 'Öffnen',
    file: 'Datei',
    chat: 'Chat',
    person: 'Person',
    agent: 'Agent',
    partial: 'Die Antwort ist abgebrochen.',
    empty_chat: 'Es gab keine Nachrichten.',
    no_preview: 'Diese Datei kann hier nicht angezeigt werden. Lade sie herunter, um sie zu sehen.',
    cut: 'Hier ist nur der Anfang zu sehen. Lade die Datei herunter, um alles zu sehen.',
    snapshot: 'Ein Chat, wie er am {time} war.',
    preview: 'Vorschau von {name}',
    text: 'Reiner Text',
  },
} as const satisfies Record<PageLanguage, Record<string, string>>

export type PageTexts = Readonly<Record<keyof (typeof texts)['en'], string>>

/** The language that the reader prefers among those that there are; English if none. */
export function languageOf(acceptLanguage: string | undefined): PageLanguage {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry, index) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((found) => found !== undefined)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight), index }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.index - other.index)
    .map(({ tag }) => tag.split('-')[0])
    .find((tag) => tag === 'de' || tag === 'en')
  return wanted === 'de' ? 'de' : 'en'
}

/** A moment in words, in UTC: where the reader is, the service does not know. */
export const momentOf = (time: string, language: PageLanguage): string =>
  `${new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(time))} UTC`

/** A size in words. */
export function sizeOf(bytes: number, language: PageLanguage): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const digits = { maximumFractionDigits: power === 0 ? 0 : 1 }
  return `${new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', digits).format(bytes / 1_000 ** power)} ${units[power] ?? 'B'}`
}
