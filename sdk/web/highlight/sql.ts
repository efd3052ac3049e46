/** The dialects of SQL that fences name; the module has eleven more. */
export { mySQL, pgSQL, sqlite } from '@codemirror/legacy-modes/mode/sql'
