import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const texts = {
  en: {
    title: 'E-mail notifications',
    question: (kind: string) => `Do you want no more e-mails of the kind “${kind}”?`,
    button: 'Send no more e-mails of this kind',
    done: (kind: string) => `You get no more e-mails of the kind “${kind}”.`,
    back: 'All settings for notifications',
    invalid: 'This link is not valid. Open the whole address from the e-mail, or change your settings for notifications.',
  },
  de: {
    title: 'Benachrichtigungen per E-Mail',
    question: (kind: string) => `Möchtest du keine E-Mails der Art „${kind}“ mehr bekommen?`,
    button: 'Keine E-Mails dieser Art mehr senden',
    done: (kind: string) => `Du bekommst keine E-Mails der Art „${kind}“ mehr.`,
    back: 'Alle Einstellungen für Benachrichtigungen',
    invalid:
      'Dieser Link ist nicht gültig. Öffne die ganze Adresse aus der E-Mail, oder ändere deine Einstellungen für Benachrichtigungen.',
  },
}

export type PageLanguage = keyof typeof texts

/** German for those who prefer it, otherwise English. */
export const languageOf = (acceptLanguage: string | undefined): PageLanguage => (/^\s*de\b/i.test(acceptLanguage ?? '') ? 'de' : 'en')

/** The page that asks, confirms, or says that the link is not valid. */
export function unsubscribePage(options: {
  readonly language: PageLanguage
  readonly state: 'ask' | 'done' | 'invalid'
  /** The title of the kind. */
  readonly kind: string
  /** The address of the settings. */
  readonly home: string
}): RouteResponse {
  const { language, state, kind, home } = options
  const words = texts[language]
  const text = state === 'ask' ? words.question(kind) : state === 'done' ? words.done(kind) : words.invalid
  const form = state === 'ask' ? `<form method="post"><button>${escaped(words.button)}</button></form>\n` : ''
  const page = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(words.title)}</title>
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem }
button { font: inherit; padding: 0.5rem 1rem }
</style>
<h1>${escaped(words.title)}</h1>
<p>${escaped(text)}</p>
${form}<p><a href="${escaped(home)}">${escaped(words.back)}</a></p>
</html>
`
  return {
    status: state === 'invalid' ? 404 : 200,
    headers: { 'content-security-policy': policy, 'referrer-policy': 'same-origin', 'cache-control': 'no-store' },
    kind: 'bytes',
    contentType: 'text/html; charset=utf-8',
    bytes: Buffer.from(page, 'utf8'),
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
