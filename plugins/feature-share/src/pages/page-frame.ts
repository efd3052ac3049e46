import { escaped } from './escape.js'
import { styles, stylesSource } from './styles.js'
import type { PageLanguage } from './texts.js'

/** What every page behind a link needs, up to the text of its `main`. */
export const pageHead = (title: string, language: PageLanguage): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
`

export const pageEnd = '</body>\n</html>\n'

/** Headers of everything behind a link: for the reader alone, in no index, without a trace. */
export const privateHeaders: Readonly<Record<string, string>> = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

/**
 * Headers of the pages: no script, no request but for the shared file itself, and no page around
 * them.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...privateHeaders,
  'cache-control': 'private, no-store',
  'content-security-policy': `default-src 'none'; style-src ${stylesSource}; img-src 'self' data:; media-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  vary: 'Accept-Language',
}
