import { defineMessages } from '../i18n/messages.js'

export const t = defineMessages({
  en: {
    footnote: 'Footnote {number}',
    footnote_back: 'Back to the place of footnote {number} in the text',
    format_more: 'Format more of it',
    unformatted: 'The rest of this long text is shown as it was written.',
  },
  de: {
    footnote: 'Fußnote {number}',
    footnote_back: 'Zurück zur Stelle von Fußnote {number} im Text',
    format_more: 'Mehr davon formatieren',
    unformatted: 'Der Rest dieses langen Textes steht so da, wie er geschrieben wurde.',
  },
})
