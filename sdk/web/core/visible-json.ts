import { visibleLine } from './visible-line.js'

/** A text that shows every character of it; its lines stay. */
export const visibleLines = (text: string): string => text.split('\n').map(visibleLine).join('\n')

/**
 * JSON in lines that show every character of it: line feeds and other controls in its texts are
 * escaped as JSON does it, what a screen would hide or reorder is shown by its number.
 */
export const visibleJson = (value: unknown): string => visibleLines(JSON.stringify(value, null, 2))
