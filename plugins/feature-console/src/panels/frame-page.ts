import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { defineError } from '@agent-service/sdk'
import type { PanelComponent } from '@agent-service/sdk/contracts/console-panel'

/** A file of a panel is missing, too large, or no text. */
export const panelFileError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'panel_broken',
  status: 503,
  title: 'Broken panel',
  message: ({ file, reason }) => `The file ${file} of this panel ${reason}. Reinstall or update its plugin.`,
})

const maxModuleBytes = 512 * 1024
const maxStylesBytes = 128 * 1024

/** What every frame begins with; the tokens are set by its script. */
const baseStyles =
  'html{font:15px/1.5 var(--font,system-ui,sans-serif);color:var(--text);background:transparent}body{margin:0;overflow-wrap:anywhere}*{box-sizing:border-box}'

/** A page for a frame, with the policy that confines it. */
export interface FramePage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/**
 * Makes the page of a panel's frame. One script runs, by its hash: the bridge with the module
 * behind it, so that the module cannot be run without what the bridge removes. Nothing is loaded
 * and nothing can be sent: no address is allowed for anything.
 */
export async function createFramePage(
  component: PanelComponent,
  options: { readonly title: string; readonly bridgeFile: string },
): Promise<FramePage> {
  const bridge = await readFile(options.bridgeFile, 'utf8')
  const module = await readText(component.module, maxModuleBytes)
  const styles = component.styles === undefined ? '' : await readText(component.styles, maxStylesBytes)
  const script = inScript(`{\n${bridge}\nstartPanel(${JSON.stringify(component.element)})\n}\n${module}`)
  const html = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(options.title)}</title>`,
    `<style>${inStyle(`${baseStyles}\n${styles}`)}</style></head>`,
    `<body><script type="module">${script}</script></body></html>`,
  ].join('\n')
  const hash = createHash('sha256').update(script).digest('base64')
  return { html, contentSecurityPolicy: policyFor(`'sha256-${hash}'`) }
}

/** `style` elements and attributes are allowed, since web components bring theirs; they can load nothing. */
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

async function readText(file: string, maxBytes: number): Promise<string> {
  const broken = (reason: string, cause?: unknown): Error => panelFileError.create({ file: path.basename(file), reason }, { cause })
  const stats = await stat(file).catch((cause: unknown) => {
    throw broken('is missing', cause)
  })
  if (!stats.isFile()) throw broken('is not a file')
  if (stats.size > maxBytes) throw broken(`has ${stats.size} bytes, more than ${maxBytes}`)
  const text = await readFile(file, 'utf8')
  // As the browser reads them; the hash is over what it reads.
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
}

/** What would end the element is written otherwise: the same in strings, templates and expressions. */
const inScript = (text: string): string => text.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
const inStyle = (text: string): string => text.replaceAll(/<(?=\/style)/gi, '\\3c ')

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
