import { emailAddress, mailbox } from '@agent-service/sdk/email-addresses'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { MailLanguage } from '../common/mail-language.js'
import type { StoredMail } from '../store/stored-mail.js'

/** A message as the transport takes it. */
export interface ComposedMail {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Makes a message. Addresses in it come from the service's own URLs alone, and no text can become a
 * header: line breaks and control characters are replaced before the transport encodes it. What is not
 * exactly one address is never handed over.
 * @throws an error with the code `EENVELOPE`, as the transport for addresses that it cannot use.
 */
export function composeMail(
  mail: Pick<StoredMail, 'subject' | 'text' | 'link' | 'footer' | 'unsubscribe_path' | 'message_id' | 'created_at'>,
  options: {
    readonly from: string
    readonly to: { readonly name: string | null; readonly email: string }
    readonly urls: Pick<Urls, 'page' | 'external'>
    readonly language: MailLanguage
  },
): ComposedMail {
  const { urls, to, language } = options
  const from = mailbox(options.from)
  if (from === undefined || emailAddress(to.email) !== to.email)
    throw Object.assign(new Error(`The ${from === undefined ? 'sender' : 'recipient'} is not one e-mail address.`), { code: 'EENVELOPE' })
  const link = mail.link && { label: oneLine(mail.link.label), url: urls.page(mail.link.path) }
  const unsubscribe = mail.unsubscribe_path === null ? undefined : urls.external(mail.unsubscribe_path)
  const footer = mail.footer === null ? '' : oneLine(mail.footer)
  return {
    from,
    to: { name: oneLine(to.name ?? ''), address: to.email },
    subject: oneLine(mail.subject),
    text: textOf({ language, text: mail.text, link, footer, unsubscribe }),
    html: htmlOf({ language, subject: oneLine(mail.subject), text: mail.text, link, footer, unsubscribe }),
    messageId: mail.message_id,
    date: new Date(mail.created_at),
    headers: {
      // No automatic answer, such as a note of absence, comes back (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribe === undefined
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}

/** What the link says that ends e-mails of a kind. */
const stopWords: Readonly<Record<MailLanguage, string>> = {
  en: 'Send no more e-mails of this kind',
  de: 'Keine E-Mails dieser Art mehr senden',
}

interface Content {
  readonly language: MailLanguage
  readonly text: string
  readonly link: { readonly label: string; readonly url: string } | null
  readonly footer: string
  readonly unsubscribe: string | undefined
}

function textOf({ language, text, link, footer, unsubscribe }: Content): string {
  const stop = unsubscribe === undefined ? '' : `${stopWords[language]}: ${unsubscribe}`
  const below = [footer, stop].filter((line) => line !== '').join('\n')
  const parts = [text.trim(), link ? `${link.label}: ${link.url}` : '', below === '' ? '' : `-- \n${below}`]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function htmlOf({ language, subject, text, link, footer, unsubscribe }: Content & { readonly subject: string }): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
  const button = link ? `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>` : ''
  const stop = unsubscribe === undefined ? '' : `<br><a href="${escaped(unsubscribe)}">${stopWords[language]}</a>`
  const below = footer === '' && stop === '' ? '' : `<hr><p><small>${escaped(footer)}${stop}</small></p>`
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36rem">
<h1 style="font-size: 1.25rem">${escaped(subject)}</h1>
${[...paragraphs, button, below].filter((part) => part !== '').join('\n')}
</body></html>
`
}

/** One line without control characters and characters that reverse the direction of text. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
