import createPurifier from 'dompurify'
import { Marked } from 'marked'

const marked = new Marked({ gfm: true, breaks: true })
const tags = [
  ...['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'input', 'li', 'ol', 'p', 'pre'],
  ...['strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
]

// Headings of an answer stand below those of the page; addresses open elsewhere, images never load.
marked.use({
  renderer: {
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + 2)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
    image: ({ href, text }) => `<a href="${encodeURI(href)}">${text}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** The nodes of one finished block of Markdown, without anything that could run or load. */
export function markdownNodes(source: string): DocumentFragment {
  const markup = marked.parse(source, { async: false })
  const fragment = createPurifier.sanitize(markup, {
    ...{ ALLOWED_TAGS: tags, ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'class'], ALLOW_DATA_ATTR: false },
    ...{ RETURN_DOM_FRAGMENT: true },
  })
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  }
  return fragment
}
