import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

/** HTML as Markdown, without scripts, pictures in the text and links within the page. */
export function htmlToMarkdown(html: string): string {
  const converter = new TurndownService({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced', hr: '---' })
  converter.use(gfm)
  converter.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'head'] as never)
  converter.addRule('innerLinks', {
    filter: (node) => node.nodeName === 'A' && /^(?:#|$|javascript:|data:)/i.test((node.getAttribute('href') ?? '').trim()),
    replacement: (content) => content,
  })
  converter.addRule('innerImages', {
    filter: (node) => node.nodeName === 'IMG' && /^(?:$|data:)/i.test((node.getAttribute('src') ?? '').trim()),
    replacement: (_, node) => {
      const alternative = (node as { getAttribute(name: string): string | null }).getAttribute('alt')?.trim() ?? ''
      return alternative === '' ? '' : `[image: ${alternative}]`
    },
  })
  // Rules that are added later come first.
  converter.addRule('notes', {
    filter: (node) => node.nodeName === 'A' && /^#(?:foot|end)note-\d/.test(node.getAttribute('href') ?? ''),
    replacement: (content) => `[^${content.replaceAll(/\D/g, '')}]`,
  })
  // The way back from a footnote to its mark.
  converter.addRule('backLinks', {
    filter: (node) => node.nodeName === 'A' && /^#(?:foot|end)note-ref/.test(node.getAttribute('href') ?? ''),
    replacement: () => '',
  })
  return converter.turndown(html).trim()
}
