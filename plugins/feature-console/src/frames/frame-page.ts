import { createHash } from 'node:crypto'

/** A page for a frame, with the headers that confine it. */
export interface FramePage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export interface FramePageOptions {
  readonly title: string
  readonly styles: string
  /** One script, so that no part of it runs without what the first removes. */
  readonly script: string
  readonly isModule: boolean
  /**
   * Absent: its one script runs, by its hash. `inline`: so does what else is written into the page or a
   * frame in it, without making markup or frames but through the policy `default` of that script (Trusted Types).
   */
  readonly scripts?: 'inline'
}

/**
 * Makes a page with an opaque origin and no network, wherever it is opened: nothing is loaded, and no
 * address is allowed for anything.
 */
export function createFramePage(options: FramePageOptions): FramePage {
  const script = inScript(options.script)
  const html = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(options.title)}</title>`,
    `<style>${inStyle(options.styles)}</style></head>`,
    `<body><script${options.isModule ? ' type="module"' : ''}>${script}</script></body></html>`,
  ].join('\n')
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    html,
    headers: {
      'content-security-policy': options.scripts === 'inline' ? inlinePolicy : policyFor(`'sha256-${hash}'`),
      'x-frame-options': 'SAMEORIGIN',
      'x-dns-prefetch-control': 'off',
    },
  }
}

/** `style` elements and attributes are allowed, since web components and drawings bring theirs; they can load nothing. */
const policyFor = (script: string): string =>
  [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')

/** Its frames inherit it; `allow-forms` lets scripts handle forms, which can be sent nowhere. */
const inlinePolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "connect-src 'none'",
  "frame-src 'none'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
  'sandbox allow-scripts allow-forms',
].join('; ')

/** What would end the element is written otherwise: the same in strings, templates and expressions. */
const inScript = (text: string): string => text.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
const inStyle = (text: string): string => text.replaceAll(/<(?=\/style)/gi, '\\3c ')

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
