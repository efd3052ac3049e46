/**
 * Markdown of models, files and strangers as a closed set of elements: what comes out cannot run,
 * load, cover or imitate anything, whatever went in. It runs in Node and in browsers.
 *
 * @packageDocumentation
 */
export { type GrowingMarkdown, type GrownMarkup, growingMarkdown } from './growing-markdown.js'
export { markdownMarkup } from './markdown-markup.js'
export { type MarkupAttribute, type MarkupElement, type MarkupName, type MarkupNode, markupRules, permittedAttributes } from './markup.js'
export { type MarkdownHtmlOptions, markdownHtml, markupHtml } from './markup-html.js'
export type { MarkdownOptions } from './options.js'
