import { choicesOf, isSecret, objectVariant, type SchemaNode } from '@agent-service/kernel-core/config'
import { configurationFormats, type JsonValue } from '@agent-service/sdk'

/** The title of a name: `max_body_size_bytes` → `Max body size bytes`. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The description of a field for editors, in one text: with unit, default and whether it has an
 * effect.
 */
export function descriptionOf(node: SchemaNode, required: boolean): string {
  const defaultText = node['x-default-path'] ?? node['x-default-text']
  return [
    node.description ?? '',
    node['x-unit'] === undefined ? '' : `Unit: ${node['x-unit']}.`,
    defaultText === undefined ? '' : `Default: ${defaultText}.`,
    isSecret(node) ? 'Secret: better a ${VARIABLE} than the value itself.' : '',
    required ? 'Must be set, here or in the environment.' : '',
    node['x-no-effect'] === undefined ? '' : `No effect: ${node['x-no-effect']}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

const byFormat: Readonly<Record<string, string>> = {
  [configurationFormats.httpUrl]: 'https://agents.example',
  [configurationFormats.originList]: 'https://app.example, https://admin.example',
  [configurationFormats.networkList]: '10.0.0.0/8, 192.168.1.4',
  [configurationFormats.host]: '0.0.0.0',
  [configurationFormats.timeZone]: 'Europe/Berlin',
}

/**
 * Values that the field accepts: those of its schema, else one that shows the form; may be empty.
 */
export function examplesOf(node: SchemaNode, name: string): readonly JsonValue[] {
  if (node.examples !== undefined) return node.examples
  if (isSecret(node)) return [`\${${name.toUpperCase()}}`]
  const format = node.format === undefined ? undefined : byFormat[node.format]
  if (format !== undefined) return [format]
  if (node.default !== undefined) return [node.default]
  const choices = choicesOf(node)
  if (choices !== undefined) return choices.slice(0, 1)
  switch (objectVariant(node).type) {
    case 'integer':
    case 'number':
      return [node.minimum ?? (node.exclusiveMinimum ?? 0) + 1]
    case 'boolean':
      return [true]
    default:
      return []
  }
}
