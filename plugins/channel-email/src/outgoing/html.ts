import { setImmediate } from 'node:timers/promises'
import { markdownHtml } from '@agent-service/sdk/markdown'

const style = 'font-family: system-ui, sans-serif; line-height: 1.5; max-width: 44rem'

/**
 * A Markdown text as a page for mail programs. Pictures in it are links: a mail that loads them tells
 * their server that it was read, with whatever a model wrote into the address. Other work of the
 * process goes on between its pieces.
 */
export async function htmlOf(markdown: string): Promise<string> {
  const pieces: string[] = []
  for (const piece of markdownHtml(markdown, { breaks: true })) {
    pieces.push(piece)
    await setImmediate()
  }
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head>\n<body style="${style}" dir="auto">\n${pieces.join('\n')}</body></html>\n`
}
