import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { defineError } from '@agent-service/sdk'
import type { PanelComponent } from '@agent-service/sdk/contracts/console-panel'
import { createFramePage, type FramePage } from '../frames/frame-page.js'

/** A file of a panel is missing, too large, or no text. */
export const panelFileError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'panel_broken',
  status: 503,
  title: 'Broken panel',
  message: ({ file, reason }) => `The file ${file} of this panel ${reason}. Reinstall or update its plugin.`,
})

const maxModuleBytes = 512 * 1024
const maxStylesBytes = 128 * 1024

/** What every panel begins with; the tokens are set by its script. */
const baseStyles =
  'html{font:15px/1.5 var(--font,system-ui,sans-serif);color:var(--text);background:transparent}body{margin:0;overflow-wrap:anywhere}*{box-sizing:border-box}'

/** Makes the page of a panel's frame: the bridge, with the plugin's module behind it. */
export async function createPanelPage(
  component: PanelComponent,
  options: { readonly title: string; readonly bridgeFiles: readonly string[] },
): Promise<FramePage> {
  const bridge = await Promise.all(options.bridgeFiles.map((file) => readFile(file, 'utf8')))
  const module = await readText(component.module, maxModuleBytes)
  const styles = component.styles === undefined ? '' : await readText(component.styles, maxStylesBytes)
  return createFramePage({
    title: options.title,
    styles: `${baseStyles}\n${styles}`,
    script: `{\n${bridge.join('\n')}\nstartPanel(${JSON.stringify(component.element)})\n}\n${module}`,
    isModule: true,
  })
}

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
