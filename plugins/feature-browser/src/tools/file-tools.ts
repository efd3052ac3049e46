import { Type } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'
import { browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { PageGuard } from '../network/page-guard.js'
import { click, upload } from '../pages/actions.js'
import { checkSize, type Download } from '../pages/downloads.js'
import type { Tab } from '../pages/tab.js'
import type { BrowserCall, BrowserCalls } from './common/browser-calls.js'
import { onThisPage, refSchema, shown } from './common/parameters.js'
import type { BrowserWorkspace } from './common/workspace.js'
import { targetOf } from './input-tools.js'
import { addressOf } from './navigation-tools.js'
import { toolWords } from './tool-words.js'

const pathSchema = (description: string) => Type.String({ minLength: 1, maxLength: 400, description })

/** Files between pages and the workspace: `browser_upload`, `browser_download`. */
export const createFileTools = (dependencies: {
  readonly calls: BrowserCalls
  readonly workspace: BrowserWorkspace
  readonly guard: PageGuard
}): readonly Tool[] => {
  const { calls, workspace, guard } = dependencies
  return [
    defineTool({
      name: 'browser_upload',
      title: 'Give the page a file',
      display: toolWords.browser_upload,
      description: 'Puts a file of your workspace into a file input of the page (at most 10 MiB).',
      parameters: Type.Object({
        ref: refSchema('The file input: its ref in the latest snapshot.'),
        path: pathSchema('The file, below your workspace.'),
      }),
      effect: 'unsafe',
      readsWorkspace: true,
      ...onThisPage,
      purpose: ({ path }) => `Give the page the file ${shown(path)}`,
      execute: ({ ref, path }, context) =>
        calls.run(context, { open: false, tool: 'upload' }, async (call) => {
          const { tab, page, element } = await targetOf(call, ref)
          const bytes = await workspace.read(context, path)
          await upload(page, element, { name: path.split('/').pop() ?? 'file', bytes })
          await tab.settle(call.signal)
          return { said: `The page has the file “${path}” (${bytes.length} bytes).` }
        }),
    }),
    defineTool({
      name: 'browser_download',
      title: 'Download a file with the browser',
      display: toolWords.browser_download,
      description:
        'Downloads a file into your workspace, with the sign-ins of the browser: clicks the element that hands it out, or opens the address of the file. At most 100 MiB.',
      parameters: Type.Object({
        ref: Type.Optional(refSchema('Click this element; the page then hands out the file.')),
        url: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: 'Or the absolute address of the file.' })),
        path: Type.Optional(
          pathSchema('Where to store it, below your workspace. Default: the folder downloads, with the name of the file.'),
        ),
      }),
      effect: 'unsafe',
      timeoutMs: limits.downloadMs + 60_000,
      ...onThisPage,
      exactly: ({ url, ref }) => url !== undefined && ref === undefined && 'Exactly this call, whatever the file contains by then',
      purpose: ({ url, path }) =>
        `Download ${url === undefined ? 'a file from the page' : shown(url)}${path === undefined ? '' : ` as ${shown(path)}`}`,
      execute: ({ ref, url, path }, context) =>
        calls.run(context, { open: url !== undefined, tool: 'download' }, async (call) => {
          if ((ref === undefined) === (url === undefined)) throw browserUseError.create({ text: 'Give either a ref or a url.' })
          const tab = call.session.tabs().length === 0 ? await call.session.open(call.signal) : call.session.active()
          const download = await downloadBy(call, tab, url === undefined ? { ref: ref ?? '' } : { url: addressOf(url, guard) })
          try {
            checkSize(download)
            const stored = await workspace.store(context, download, path)
            // A name that the site has chosen may read like a sentence of this service.
            const files = [{ path: stored.path }]
            return path === undefined
              ? { said: `Downloaded (${stored.size} bytes).`, page: `Stored in the workspace as: ${JSON.stringify(stored.path)}`, files }
              : { said: `Downloaded to “${stored.path}” (${stored.size} bytes).`, files }
          } finally {
            // What was not read is ended, so that the page is not kept waiting.
            await download.cancel()
          }
        }),
    }),
  ]
}

const waitMs = 30_000

async function downloadBy(call: BrowserCall, tab: Tab, by: { readonly ref: string } | { readonly url: string }): Promise<Download> {
  const limited = signalWithin(waitMs, call.signal)
  const expected = call.session.expectDownload(tab, { any: 'url' in by, signal: limited })
  expected.catch(() => undefined)
  if ('url' in by) {
    const failed = tab.navigate(by.url, limited, { mayBeFile: true }).then(() => expected)
    return await waitFor(Promise.race([expected, failed]), call, limited)
  }
  const { page, element } = await targetOf(call, by.ref)
  await click(page, element)
  return await waitFor(expected, call, limited)
}

async function waitFor(expected: Promise<Download>, { signal }: BrowserCall, limited: AbortSignal): Promise<Download> {
  try {
    return await expected
  } catch (error) {
    signal.throwIfAborted()
    if (!limited.aborted) throw error
    throw browserUseError.create({ text: `The page handed out no file within ${waitMs / 1_000} seconds.` }, { cause: error })
  }
}
