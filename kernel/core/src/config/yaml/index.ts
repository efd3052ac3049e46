/**
 * The entry point of the YAML parser, separate from the index so that a start without a file does
 * not load it.
 */
export { type ParsedYaml, parseYaml } from '../read/parse-yaml.js'
