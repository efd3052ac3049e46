export { loadMarkdown } from './markdown/load-markdown.js'
export { StreamedText } from './markdown/streamed-text.js'
