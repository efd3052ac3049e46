/**
 * Text of people and models as formatted Markdown, with code, formulas and diagrams. Nothing of such a text becomes a script or
 * markup of the page. The parser is loaded when the first text is shown.
 *
 * @packageDocumentation
 */

export { loadMarkdown, markupParser } from './markdown/load-markdown.js'
export { StreamedText } from './markdown/streamed-text.js'
